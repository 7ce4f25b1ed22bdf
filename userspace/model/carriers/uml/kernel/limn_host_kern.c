// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of the host for the guest: /dev/hostfd0 ... are file descriptors that
 * the kernel was started with (limn_uml.fds=10,11,...), so that a command in
 * the guest has the very standard input, output and error of the testbed, as
 * separate byte streams. And the kernel log, to standard error.
 *
 * UML's own consoles would go through a line discipline and mix the streams.
 */
#include <linux/console.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/miscdevice.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <os.h>
#include "limn_uml.h"

#define MAX_FDS	8
#define CHUNK	4096	/* PIPE_BUF: when poll() says writable, this much does not block */

static int fds[MAX_FDS];
static unsigned int nr_fds;
module_param_array(fds, int, &nr_fds, 0444);
MODULE_PARM_DESC(fds, "host file descriptors for /dev/hostfd0, 1, ...");

static struct miscdevice hostfd[MAX_FDS];

static int hostfd_open(struct inode *inode, struct file *file)
{
	unsigned int i;

	for (i = 0; i < nr_fds; i++)
		if (hostfd[i].minor == iminor(inode))
			break;
	if (i == nr_fds)
		return -ENODEV;
	file->private_data = &fds[i];
	return stream_open(inode, file);
}

/* Blocking in the host would stop the whole guest, so wait in here. */
static int wait_ready(struct file *file, int write)
{
	int fd = *(int *)file->private_data;

	while (!limn_host_ready(fd, write)) {
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		schedule_timeout_interruptible(1);
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	return 0;
}

static ssize_t hostfd_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	char *chunk;
	int n;

	n = wait_ready(file, 0);
	if (n)
		return n;
	chunk = kmalloc(CHUNK, GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	n = os_read_file(*(int *)file->private_data, chunk, min_t(size_t, size, CHUNK));
	if (n > 0 && copy_to_user(to, chunk, n))
		n = -EFAULT;
	kfree(chunk);
	return n;
}

static ssize_t hostfd_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	size_t done = 0;
	char *chunk;
	int n = 0;

	chunk = kmalloc(CHUNK, GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	while (done < size) {
		n = wait_ready(file, 1);
		if (n)
			break;
		n = min_t(size_t, size - done, CHUNK);
		if (copy_from_user(chunk, from + done, n)) {
			n = -EFAULT;
			break;
		}
		n = os_write_file(*(int *)file->private_data, chunk, n);
		if (n == -EPIPE)
			send_sig(SIGPIPE, current, 0);
		if (n <= 0)
			break;
		done += n;
	}
	kfree(chunk);
	return done ? done : n;
}

static const struct file_operations hostfd_fops = {
	.owner = THIS_MODULE,
	.open = hostfd_open,
	.read = hostfd_read,
	.write = hostfd_write,
};

static int __init hostfd_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr_fds; i++) {
		os_set_exec_close(fds[i]);	/* not for the model */
		hostfd[i].minor = MISC_DYNAMIC_MINOR;
		hostfd[i].name = kasprintf(GFP_KERNEL, "hostfd%u", i);
		hostfd[i].fops = &hostfd_fops;
		hostfd[i].mode = 0666;
		err = misc_register(&hostfd[i]);
		if (err)
			return err;
	}
	return 0;
}
device_initcall(hostfd_init);

static void log_write(struct console *console, const char *text, unsigned int size)
{
	int n;

	while (size) {
		n = os_write_file(2, text, size);
		if (n <= 0)
			return;
		text += n;
		size -= n;
	}
}

static struct console log_console = {
	.name = "limn",
	.write = log_write,
	.flags = CON_PRINTBUFFER | CON_ENABLED,
	.index = -1,
};

static int __init log_init(void)
{
	register_console(&log_console);
	return 0;
}
console_initcall(log_init);
