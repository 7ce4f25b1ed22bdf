/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints: a job's way, and what went wrong on it. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM limn

#if !defined(LIMN_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LIMN_TRACE_H

#include <linux/tracepoint.h>

#include "limn_sched.h"

DECLARE_EVENT_CLASS(limn_job,
		    TP_PROTO(const struct limn_job *job),
		    TP_ARGS(job),
		    TP_STRUCT__entry(__string(pipe, job->pipe->name)
				     __field(u64, id)
				     __field(u64, context)
				     __field(u64, seqno)
				     __field(u64, number)
		    ),
		    TP_fast_assign(__assign_str(pipe);
				   __entry->id = job->order;
				   __entry->number = job->id;
				   __entry->context = job->done->context;
				   __entry->seqno = job->done->seqno;
		    ),
		    TP_printk("pipe=%s job=%llu fence=%llu:%llu number=%llu", __get_str(pipe),
			      __entry->id, __entry->context, __entry->seqno, __entry->number)
);

DEFINE_EVENT(limn_job, limn_job_submit, TP_PROTO(const struct limn_job *job), TP_ARGS(job));

DEFINE_EVENT(limn_job, limn_job_run, TP_PROTO(const struct limn_job *job), TP_ARGS(job));

/* The job's time was over, but it made progress and got another period. */
DEFINE_EVENT(limn_job, limn_job_slow, TP_PROTO(const struct limn_job *job), TP_ARGS(job));

TRACE_EVENT(limn_job_done,
	    TP_PROTO(const struct limn_job *job, u64 ns, int error),
	    TP_ARGS(job, ns, error),
	    TP_STRUCT__entry(__string(pipe, job->pipe->name)
			     __field(u64, id)
			     __field(u64, ns)
			     __field(int, error)
	    ),
	    TP_fast_assign(__assign_str(pipe);
			   __entry->id = job->order;
			   __entry->ns = ns;
			   __entry->error = error;
	    ),
	    TP_printk("pipe=%s job=%llu ns=%llu error=%d", __get_str(pipe), __entry->id,
		      __entry->ns, __entry->error)
);

TRACE_EVENT(limn_heap_grow,
	    TP_PROTO(const struct limn_job *job, size_t from, size_t to),
	    TP_ARGS(job, from, to),
	    TP_STRUCT__entry(__field(u64, id)
			     __field(size_t, from)
			     __field(size_t, to)
	    ),
	    TP_fast_assign(__entry->id = job->order;
			   __entry->from = from;
			   __entry->to = to;
	    ),
	    TP_printk("job=%llu from=%zu to=%zu", __entry->id, __entry->from, __entry->to)
);

TRACE_EVENT(limn_mmu_fault,
	    TP_PROTO(const struct limn_job *job, const char *mmu, u32 address, bool write,
		     u32 bus_id),
	    TP_ARGS(job, mmu, address, write, bus_id),
	    TP_STRUCT__entry(__string(mmu, mmu)
			     __field(u64, id)
			     __field(u32, address)
			     __field(u32, bus_id)
			     __field(bool, write)
	    ),
	    TP_fast_assign(__assign_str(mmu);
			   __entry->id = job->order;
			   __entry->address = address;
			   __entry->bus_id = bus_id;
			   __entry->write = write;
	    ),
	    TP_printk("mmu=%s job=%llu address=%08x %s bus_id=%u", __get_str(mmu), __entry->id,
		      __entry->address, __entry->write ? "write" : "read", __entry->bus_id)
);

TRACE_EVENT(limn_unit_error,
	    TP_PROTO(const struct limn_job *job, const char *unit, u32 state, u32 status),
	    TP_ARGS(job, unit, state, status),
	    TP_STRUCT__entry(__string(unit, unit)
			     __field(u64, id)
			     __field(u32, state)
			     __field(u32, status)
	    ),
	    TP_fast_assign(__assign_str(unit);
			   __entry->id = job->order;
			   __entry->state = state;
			   __entry->status = status;
	    ),
	    TP_printk("unit=%s job=%llu interrupts=%08x status=%08x", __get_str(unit), __entry->id,
		      __entry->state, __entry->status)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE limn_trace
#include <trace/define_trace.h>
