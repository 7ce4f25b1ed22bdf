/* SPDX-License-Identifier: MIT */
/* What a chip has answered where the model guesses; without a report of it, the guess. */
#ifndef LIMN_MODEL_PROFILE_H
#define LIMN_MODEL_PROFILE_H

struct model;
struct report;
struct unit;

enum profile {
#define PROFILE(name, probe, ...) PROFILE_##name,
#include "model/profile.inc"
#undef PROFILE
	PROFILE_COUNT
};

/* The number of the answer in its row of profile.inc; 0: the guess. */
unsigned int unit_answer(const struct unit *u, enum profile which);

/* The model does from now on as the report says, where it can. Returns how many of its answers that are. */
unsigned int model_follow(struct model *m, const struct report *r);
/* The same with the report of the model's chip in model/chips, if there is one. */
void model_follow_chip(struct model *m);

#endif
