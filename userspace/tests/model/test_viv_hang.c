// SPDX-License-Identifier: MIT
/*
 * What hangs the real chip hangs the virtual one, strict mode says why, and the
 * debug registers say where FE stopped: each item of etna_viv hardware.md ("Programming
 * peculiarities", "Resolve", "Tile status", "Vertex texture fetch", "State
 * changes and caches"). The table that it prints is the list of where FE stands.
 */
#include "tests/model/viv_dump.h"
#include "tests/model/viv_scene.h"

enum { POINTS = 1, TRIANGLES = 4 };

/* FE_DMA_DEBUG_STATE.CMD_STATE (rnndb) */
enum { CMD_LOAD = 3, CMD_STALL = 21 };

#define IN_DRAW_0	"in draw 0 of its stream: "

static void open_scene(const char *gpu)
{
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 0 } }, { { 3, -1, 0, 1 }, { 0 } }, { { -1, 3, 0, 1 }, { 0 } },
	};

	scene_open(&s, gpu);
	scene_clear(&s, 0, 0);
	scene_vertices(&s, v, 3);
	scene_states(&s);
}

/* A draw whose pixels stay in PE's caches. */
static void draw_dirty(void)
{
	put(&s.e, VIV_FE_COMMAND(DRAW_PRIMITIVES), TRIANGLES);
	put(&s.e, 0, 1);
}

/* --- Defects: each breaks one thing of a draw that works --------------------- */

struct defect {
	uint32_t words[6];	/* of the stream, in pairs; 0 ends */
	const char *vs, *ps;	/* programs */
	void (*put)(void);
};

#define WORDS(...)	{ .words = { __VA_ARGS__ } }
#define SET(address, value)	VIV_FE_COMMAND(LOAD_STATE) | 1 << 16 | (address) / 4, value
#define VS(text)	{ .vs = text }
#define PS(text)	{ .ps = text }
#define CALL(function)	{ .put = function }

static void put_defect(const struct defect *d)
{
	for (unsigned int i = 0; i < COUNT(d->words) && d->words[i]; i += 2)
		put(&s.e, d->words[i], d->words[i + 1]);
	if (d->vs || d->ps)
		program(&s, d->vs, d->vs ? d->vs : d->ps);
	if (d->put)
		d->put();
}

static void no_program(void)
{
	if (s.halti >= 5)
		set(&s.e, VIVS_PS_HALTI5_RANGE_HIGH, 0);
	else
		set(&s.e, VIVS_PS_END_PC, 0);
	set(&s.e, VIVS_PS_RANGE, 0x100);	/* it would tell the end, too */
}

/* The program's end lies where nothing of it is. */
static void long_program(void)
{
	if (s.halti >= 5)
		set(&s.e, VIVS_VS_HALTI5_RANGE_HIGH, 0x1000000);
	else
		set(&s.e, VIVS_VS_END_PC, s.e.id.instruction_count > 256 ? 100 : 0x1000);
}

static void no_sampler(void)
{
	program(&s, false, "texld t1, tex0, t1.xyyy, void, void\n");
	if (s.halti >= 5) {
		memset(s.e.map[1] + DESC_AT, 0, 256);
		set(&s.e, VIVS_NTE_DESCRIPTOR_ADDR, s.e.va[1] + DESC_AT);
	}
}

/* "An invalid pattern in the tile status memory": what a depth surface holds that nobody has cleared. */
static void bad_tile_status(void)
{
	s.e.map[1][TEXTURE_AT] = 0x06;
	set(&s.e, VIVS_TS_DEPTH_STATUS_BASE, s.e.va[1] + TEXTURE_AT);
	set(&s.e, VIVS_TS_DEPTH_SURFACE_BASE, s.e.va[0] + DEPTH_AT);
	set(&s.e, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR);
	set(&s.e, VIVS_PE_DEPTH_CONFIG, VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, 7) | VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE |
	    VIVS_PE_DEPTH_CONFIG_SUPER_TILED | VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_MODE, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z) |
	    VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT, VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8));
}

static const struct {
	const char *seed;	/* what the seed calls it */
	struct defect defect;
	const char *why;	/* in the report of strict mode */
	const char *busy;	/* the module that stays at work */
	const char *says;	/* the sentence of limn decode */
} items[] = {
	{ "wrong number of VS inputs (too many)", WORDS(SET(VIVS_VS_INPUT_COUNT, 3)), "as many as vertex elements", "SH",
	  "VS has 3 inputs, but 2 vertex elements are set" },
	{ "wrong number of VS inputs (too few)", WORDS(SET(VIVS_VS_INPUT_COUNT, 1)), "as many as vertex elements", "SH",
	  "VS has 1 inputs, but 2 vertex elements are set" },
	{ "wrong number of temporaries in VS", WORDS(SET(VIVS_VS_TEMP_REGISTER_CONTROL, 2)), "more temporaries than", "SH",
	  "VS instruction 0 writes t4, but NUM_TEMPS is 2" },
	{ "wrong number of temporaries in PS", WORDS(SET(VIVS_PS_TEMP_REGISTER_CONTROL, 1)), "more temporaries than", "SH",
	  " writes t1, but NUM_TEMPS is 1" },
	{ "3D commands in the 2D pipe", WORDS(SET(VIVS_GL_PIPE_SELECT, PIPE_ID_PIPE_2D)), "while the other pipe is selected", "PE",
	  "a 3D draw in the 2D pipe" },
	{ "wrong length of shader (none)", CALL(no_program), "program", "SH", ", which is no program" },
	{ "wrong length of shader (too long)", CALL(long_program), "vs: ", "SH", "VS runs " },
	{ "texture sampling without set up units", CALL(no_sampler), "sampler 0 is not set up", "TX", " samples unit 0, which is off" },
	{ "invalid pattern in tile status memory", CALL(bad_tile_status), "invalid tile status", "TS", "the depth's tile status has 0x06 at " },
};

#define ITEMS	(COUNT(items))

/* It did not end; the report says why, and so does limn decode of the dump; registers say where FE is and who never gets idle. */
static void must_hang(const char *name, const char *gpu, enum host_status status, const char *why, unsigned int cmd,
		      const char *busy, const char *where, const char *says)
{
	char error[256], text[32], sentence[600];

	snprintf(error, sizeof(error), "%s", host_error(s.e.host));
	if (status != HOST_TIMEOUT)
		fail_msg("%s, %s: status %d, not a hang", gpu, name, status);
	if (!s.e.reports || !strstr(s.e.last, "hangs: ") || (why && !strstr(s.e.last, why)))
		fail_msg("%s, %s: report '%s' does not say '%s'", gpu, name, s.e.last, why ? why : "hangs");
	snprintf(text, sizeof(text), "CMD_STATE %u;", cmd);
	if (!strstr(error, text))
		fail_msg("%s, %s: %s: not %s", gpu, name, error, text);
	snprintf(text, sizeof(text), " %s", busy);
	if (!strstr(strstr(error, "busy:"), text))
		fail_msg("%s, %s: %s: %s is not busy", gpu, name, error, busy);
	viv_sentence(&s.e, sentence, sizeof(sentence));
	if (!strstr(sentence, where) || !strstr(sentence, says))
		fail_msg("%s, %s: '%s' does not say '%s', '%s'", gpu, name, sentence, where, says);
	print_message("%-8s%-42s%s\n%52s%s\n%52s%s\n", gpu, name, s.e.last, "", strstr(error, "FE at"), "", sentence);
}

/* Nothing of it is left: the same draw without the defect works. */
static void must_recover(const char *gpu)
{
	open_scene(gpu);
	assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
}

static void test_seeds_list(void **unused)
{
	for (unsigned int i = 0; i < COUNT(items); i++) {
		for (unsigned int n = 0; n < CHIPS; n++) {
			enum host_status status;

			open_scene(chips[n]);
			s.e.expect_reports = true;
			put_defect(&items[i].defect);
			status = scene_draw(&s, TRIANGLES, 1);
			/* FE has run ahead of the hung module to the STALL of the next job's end. */
			must_hang(items[i].seed, chips[n], status, items[i].why, CMD_STALL, items[i].busy, IN_DRAW_0,
				  items[i].says);
			if (n == 0 && i == 0) {
				/* The same host, reset, works again. */
				scene_states(&s);
				program(&s, true, vs_pass);
				program(&s, false, ps_color);
				s.e.reports = 0;
				assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
				assert_int_equal(s.e.reports, 0);
			}
			must_recover(chips[n]);
		}
	}
}

/* "When the GPU is stuck it is possible to submit command buffers, however nothing gets drawn and nothing ever finishes." */
static void test_stuck(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		enum host_status status;

		open_scene(chips[n]);
		s.e.expect_reports = true;
		set(&s.e, VIVS_VS_INPUT_COUNT, 3);
		draw_dirty();
		/* A second draw, which has nothing wrong. */
		set(&s.e, VIVS_VS_INPUT_COUNT, 2);
		status = scene_draw(&s, TRIANGLES, 1);
		must_hang("nothing gets drawn behind it", chips[n], status, "as many as vertex elements", CMD_STALL, "SH",
			  IN_DRAW_0, "VS has 3 inputs");
		assert_int_equal(color_at(&s, 10, 10), 0);
	}
}

/* --- Resolve ---------------------------------------------------------------- */

static void resolve(unsigned int from, unsigned int to, uint32_t width, uint32_t height)
{
	rs_surface(&s.e, false, 0, SIZE * 4, from, RS_FORMAT_A8R8G8B8);
	rs_surface(&s.e, true, 1, SIZE * 4, to, RS_FORMAT_A8R8G8B8);
	rs_kick(&s.e, width, height);
}

static void test_resolve(void **unused)
{
	static const struct {
		const char *seed, *why;
		unsigned int from, to;
		uint32_t width, height;
		bool hangs;
	} r[] = {
		{ "linear to linear: width of at least 17", "at least 17", 0, 0, 16, 4, true },
		{ "linear to linear: height a multiple of 4", "multiple of 4", 0, 0, 32, 6, true },
		{ "linear to linear, as it should be", NULL, 0, 0, 32, 4, false },
		{ "tiled to linear: width at least 1", "no width", 1, 0, 0, 4, true },
		{ "tiled to linear: width at least 13", "at least 13", 1, 0, 12, 4, true },
		{ "tiled to linear: height at least 1", "no height", 1, 0, 16, 0, true },
		{ "tiled to linear, as it should be", NULL, 1, 0, 16, 4, false },
		{ "into tiles: 16 horizontally", "multiple of 16", 1, 1, 24, 4, true },
		{ "into tiles: 4 vertically", "multiple of 4", 1, 1, 16, 6, true },
		{ "into tiles, as it should be", NULL, 1, 1, 32, 8, false },
		{ "linear to tiles: 16 horizontally", "window of", 0, 1, 8, 8, true },
		{ "linear to tiles: 16 horizontally", "window of", 0, 1, 24, 8, true },
		{ "linear to tiles: height at least 1", "no height", 0, 1, 16, 0, true },
		{ "linear to tiles: 4 vertically", "window of", 0, 1, 32, 6, true },
	};

	for (unsigned int i = 0; i < COUNT(r); i++) {
		for (unsigned int n = 0; n < CHIPS - 1; n++) {
			enum host_status status;

			scene_open(&s, chips[n]);
			s.e.expect_reports = r[i].hangs;
			resolve(r[i].from, r[i].to, r[i].width, r[i].height);
			status = run(&s.e, HOST_PIPE_3D);
			if (r[i].hangs)
				must_hang(r[i].seed, chips[n], status, r[i].why, CMD_STALL, "PE", "before any draw of its stream: resolve of ",
					  strstr(r[i].why, "window") ? "multiple of" : r[i].why);
			else
				assert_int_equal(status, HOST_OK);
		}
	}
}

/* --- The 2D core ---------------------------------------------------------------- */

static void test_2d_core(void **unused)
{
	enum host_status status;

	memset(&s, 0, sizeof(s));
	env_open(&s.e, "gc320");
	s.e.expect_reports = true;
	draw_dirty();
	status = run(&s.e, HOST_PIPE_2D);
	must_hang("3D commands in the 2D pipe", "gc320", status, "no such pipe", CMD_STALL, "PE",
		  IN_DRAW_0, "a 3D draw on a core without a 3D pipe");
	set(&s.e, VIVS_RS_KICKER, 1);
	status = run(&s.e, HOST_PIPE_2D);
	must_hang("a resolve in the 2D pipe", "gc320", status, "no such pipe", CMD_STALL, "PE",
		  "before any draw", "a resolve on a core without a 3D pipe");
	env_close(&s.e);
}

/* --- GC600, which the seed was written about ------------------------------------- */

static void fixed_scissor(uint32_t right, uint32_t bottom)
{
	const uint32_t load = VIV_FE_COMMAND(LOAD_STATE) | VIV_FE_LOAD_STATE_HEADER_FIXP | 1 << 16;

	put(&s.e, load | VIVS_SE_SCISSOR_RIGHT / 4, right);
	put(&s.e, load | VIVS_SE_SCISSOR_BOTTOM / 4, bottom);
}

/* "setting SCISSOR bottom/right to (x<<16)|5 instead of (x<<16)-1 causes crashes for higher resolutions" */
static void test_scissor(void **unused)
{
	static const struct {
		uint32_t right, bottom;
		bool hangs;
	} r[] = {
		{ 1920 << 16 | 5, 1080 << 16 | 5, true }, { (1920 << 16) - 1, (1080 << 16) - 1, false },
		{ 64 << 16 | 5, 64 << 16 | 5, false }, { (1920 << 16) + 0x1119, (1080 << 16) + 0x1111, false },
	};

	for (unsigned int i = 0; i < COUNT(r); i++) {
		enum host_status status;

		open_scene("gc600");
		s.e.expect_reports = r[i].hangs;
		fixed_scissor(r[i].right, r[i].bottom);
		/* A point in the corner, so that nothing is drawn outside the small target. */
		setf(&s.e, VIVS_PA_POINT_SIZE, 1);
		setf(&s.e, VIVS_PA_VIEWPORT_SCALE_X, 4);
		setf(&s.e, VIVS_PA_VIEWPORT_SCALE_Y, 4);
		setf(&s.e, VIVS_PA_VIEWPORT_OFFSET_X, 8);
		setf(&s.e, VIVS_PA_VIEWPORT_OFFSET_Y, 8);
		status = scene_draw(&s, POINTS, 1);
		if (r[i].hangs)
			must_hang("SE_SCISSOR (x << 16) | 5", "gc600", status, "a little beyond a pixel", CMD_STALL, "SE",
				  IN_DRAW_0, "SE.SCISSOR_RIGHT ends in a fraction of 5/65536");
		else
			assert_int_equal(status, HOST_OK);
	}
}

/* Its one core has both pipes: what the seed calls "sending 3D commands in the 2D pipe", and the other way round. */
static void test_both_pipes(void **unused)
{
	enum host_status status;

	open_scene("gc600");
	assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
	assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
	s.e.expect_reports = true;
	draw_dirty();
	status = run(&s.e, HOST_PIPE_2D);
	must_hang("3D commands in the 2D pipe", "gc600", status, "while the other pipe is selected", CMD_STALL, "PE",
		  IN_DRAW_0, "a 3D draw in the 2D pipe");
	put(&s.e, VIV_FE_COMMAND(DRAW_2D) | 1 << 8, 0xdeaddeed);
	put(&s.e, 0, 4 | 4 << 16);
	status = run(&s.e, HOST_PIPE_3D);
	must_hang("2D commands in the 3D pipe", "gc600", status, "while the other pipe is selected", CMD_STALL, "PE",
		  IN_DRAW_0, "a 2D draw in the 3D pipe");
}

/* --- The rest of what hangs the model: does limn decode of the dump say it? ------- */

static void link_short(void)
{
	put(&s.e, VIV_FE_COMMAND(LINK) | 1, s.e.va[1] + TEXTURE_AT);
	*(uint32_t *)(s.e.map[1] + TEXTURE_AT) = VIV_FE_COMMAND(NOP);
}

static void link_cut(void)
{
	put(&s.e, VIV_FE_COMMAND(LINK) | 1, s.e.va[1] + TEXTURE_AT);
	*(uint32_t *)(s.e.map[1] + TEXTURE_AT) = VIV_FE_COMMAND(LOAD_STATE) | 4 << 16 | VIVS_PA_VIEWPORT_SCALE_X / 4;
}

static void ps_nest(void)
{
	program(&s, false, "loop void, u0, void, void\nloop void, u0, void, void\nloop void, u0, void, void\nloop void, u0, void, void\n"
		"loop void, u0, void, void\nmov t1, void, void, t1\nendloop void, void, void, void\nendloop void, void, void, void\n"
		"endloop void, void, void, void\nendloop void, void, void, void\nendloop void, void, void, void\n");
	setf(&s.e, VIVS_PS_UNIFORMS, 2);
}

static void clock_control(uint32_t bits)
{
	s.e.clock = model_read32(host_model(s.e.host), VIVS_HI_CLOCK_CONTROL) | bits;
	model_write32(host_model(s.e.host), VIVS_HI_CLOCK_CONTROL, s.e.clock);
}

static void isolated(void)
{
	clock_control(VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU);
}

static void other_pixel_pipe(void)
{
	clock_control(VIV_SET(VIVS_HI_CLOCK_CONTROL_DEBUG_PIXEL_PIPE, 1));
}

/* A fence that nobody signals. */
static void fence_never(void)
{
	memset(s.e.map[1] + TEXTURE_AT, 0, 8);
	set(&s.e, VIVS_FE_FENCE_WAIT_DATA_LOW, 7);
	set(&s.e, VIVS_FE_FENCE_WAIT_DATA_HIGH, 0);
	put(&s.e, VIV_FE_COMMAND(WAIT_FENCE), s.e.va[1] + TEXTURE_AT);
}

/* Two LINKs that lead to each other. */
static void link_endless(void)
{
	const uint32_t at = s.e.va[1] + TEXTURE_AT, link = VIV_FE_COMMAND(LINK) | 1;
	const uint32_t words[] = { link, at + 8, link, at };

	memcpy(s.e.map[1] + TEXTURE_AT, words, sizeof(words));
	put(&s.e, link, at);
}

#define VS_ENDLESS	VS("branch void, void, void, 0\nmov t4, void, void, t0\nmov t5, void, void, t1\n")
#define PS_BEYOND	PS("mov t1, void, void, t1\nbranch void, void, void, 99\n")
#define PS_ENDLESS	PS("mov t1, void, void, t1\nbranch void, void, void, 0\n")

static const struct {
	const char *gpu;
	struct defect defect;
	const char *why, *says;
} others[] = {
	{ "gc7000l", CALL(fence_never), "", "The front end waits at WAIT_FENCE, before any draw of its stream, for 7 at " },
	{ "gc2000", CALL(link_endless), "", "The front end goes round for ever: the LINK at " },
	{ "gc7000l", CALL(link_endless), "", "The front end goes round for ever: the LINK at " },
	{ "gc2000", WORDS(31u << 27, 0), "no command", "no command has opcode 31" },
	{ "gc2000", WORDS(VIV_FE_COMMAND(SNAP_PAGES), 0), "no command of this chip",
	  "stopped at SNAP_PAGES, before any draw of its stream: only some chips have" },
	{ "gc2000", WORDS(VIV_FE_COMMAND(RETURN), 0), "RETURN without", "stopped at RETURN, before any draw of its stream: nothing called" },
	{ "gc2000", CALL(link_short), "used up", "none of them leads on" },
	{ "gc2000", CALL(link_cut), "longer than", "none of them leads on" },
	{ "gc2000", WORDS(VIV_FE_COMMAND(STALL), SYNC_RECIPIENT_FE | SYNC_RECIPIENT_PE << 8), "nobody has armed",
	  "stopped at STALL, before any draw of its stream: STALL waits for a semaphore that this stream has not armed" },
	{ "gc2000", WORDS(SET(VIVS_GL_STALL_TOKEN, SYNC_RECIPIENT_RA | SYNC_RECIPIENT_PE << 8)), "nobody has armed",
	  "GL.STALL_TOKEN waits for a semaphore that this stream has not armed" },
	{ "gc2000", WORDS(VIV_FE_COMMAND(DRAW_2D) | 1 << 8, 0xdeaddeed, 1 | 1 << 16, 4 | 4 << 16), "no such pipe",
	  "a 2D draw on a core without a 2D pipe" },
	{ "gc2000", WORDS(SET(VIVS_BLT_ENABLE, 1), SET(VIVS_BLT_COMMAND, 1)), "on a core that has none",
	  "BLT does not end, as if the core had none" },
	{ "gc7000l", WORDS(SET(VIVS_BLT_ENABLE, 0), SET(VIVS_BLT_COMMAND, 1)), "while BLT_ENABLE is 0", "BLT_COMMAND while BLT_ENABLE is 0" },
	{ "gc7000l", WORDS(SET(VIVS_BLT_ENABLE, 0), SET(VIVS_GL_SEMAPHORE_TOKEN, SYNC_RECIPIENT_FE | SYNC_RECIPIENT_BLT << 8)),
	  "while BLT_ENABLE is 0", "a semaphore to BLT while BLT_ENABLE is 0" },
	{ "gc7000l", WORDS(SET(VIVS_BLT_ENABLE, 1), SET(VIVS_BLT_MIPMAP_CONFIG, 0),
			   SET(VIVS_BLT_COMMAND, VIVS_BLT_COMMAND_COMMAND_GEN_MIPMAPS)), "mipmaps of 0 levels", "mipmaps of 0 levels" },
	{ "gc7000l", WORDS(SET(VIVS_RS_KICKER, 1)), "has BLT instead", "RS does not end, as if the core had BLT instead" },
	{ "gc2000", WORDS(SET(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, 40 << 8)), "40 varyings", "in draw 0 of its stream: PA has 40 varyings" },
	{ "gc880", PS("texld t1, tex31, t1.xyyy, void, void\n"), "sampler 31", "samples unit 31" },
	{ "gc2000", VS_ENDLESS, "does not end", "in or behind draw 0 of its stream: instruction 0 of its vertex shader goes back to 0" },
	{ "gc7000l", VS_ENDLESS, "does not end", "in or behind draw 0 of its stream: instruction 0 of its vertex shader goes back to 0" },
	{ "gc2000", PS_ENDLESS, "does not end", "in or behind draw 0 of its stream: instruction 1 of its pixel shader goes back to 0" },
	{ "gc7000l", PS_ENDLESS, "does not end", "in or behind draw 0 of its stream: instruction 1 of its pixel shader goes back to 0" },
	{ "gc2000", PS_BEYOND, "jump past the end", "in or behind draw 0 of its stream: instruction 1 of its pixel shader goes to 99, but it has 2" },
	{ "gc7000l", PS_BEYOND, "jump past the end", "in or behind draw 0 of its stream: instruction 1 of its pixel shader goes to 99, but it has 2" },
	{ "gc2000", PS("mov t1, void, void, t1\ncall void, void, void, 0\n"), "calls nest too deeply", "instruction 1 of its pixel shader calls back to 0" },
	{ "gc2000", CALL(ps_nest), "loops nest too deeply", "instruction 4 of its pixel shader begins loop number 5 within loops" },
	{ "gc2000", CALL(isolated), "ISOLATE_GPU", "The core cannot work: HI.CLOCK_CONTROL isolates it" },
	{ "gc2000", CALL(other_pixel_pipe), "DEBUG_PIXEL_PIPE", "The core cannot work: HI.CLOCK_CONTROL has left DEBUG_PIXEL_PIPE" },
	{ "gc2000", WORDS(SET(VIVS_VS_OUTPUT_COUNT, 63)), "more outputs", "in draw 0 of its stream: VS has 63 outputs" },
};

static void test_others(void **unused)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < COUNT(others); i++) {
		char sentence[600];

		open_scene(others[i].gpu);
		s.e.expect_reports = true;
		put_defect(&others[i].defect);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_TIMEOUT);
		viv_sentence(&s.e, sentence, sizeof(sentence));
		print_message("%-8s%s\n        %s\n", others[i].gpu, s.e.last, sentence);
		if (!strstr(s.e.last, others[i].why) || !strstr(sentence, others[i].says)) {
			print_error("'%s' and '%s' are expected\n", others[i].why, others[i].says);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* --- What the seed says crashes, and may: reported, and it goes on --------------- */

static void must_say(enum host_status status, const char *gpu, const char *why)
{
	assert_int_equal(status, HOST_OK);
	if (!strstr(s.e.last, why))
		fail_msg("%s: report '%s' does not say '%s'", gpu, s.e.last, why);
	s.e.last[0] = 0;
}

static void test_risky(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		open_scene(chips[n]);
		s.e.expect_reports = true;
		/* "before flushing the TS cache first make sure that DEPTH and COLOR are flushed" */
		draw_dirty();
		set(&s.e, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
		must_say(run(&s.e, HOST_PIPE_3D), chips[n], "flushed before colour and depth");
		/* "setting the TEXTUREVS bit seems to result in crashes when rendering directly afterwards" */
		set(&s.e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
		draw_dirty();
		must_say(run(&s.e, HOST_PIPE_3D), chips[n], "right after a flush of TEXTUREVS");
		/* "PE.COLOR_FORMAT.OVERWRITE -> flush COLOR" */
		draw_dirty();
		set(&s.e, VIVS_PE_COLOR_FORMAT, s.color_format ^ VIVS_PE_COLOR_FORMAT_OVERWRITE);
		must_say(run(&s.e, HOST_PIPE_3D), chips[n], "OVERWRITE changes");
		/* "The blob issues a semaphor and stall ... before changing the pipe"; flushed it must be. */
		draw_dirty();
		set(&s.e, VIVS_GL_PIPE_SELECT, PIPE_ID_PIPE_2D);
		set(&s.e, VIVS_GL_PIPE_SELECT, PIPE_ID_PIPE_3D);
		must_say(run(&s.e, HOST_PIPE_3D), chips[n], "pipe is switched while");
	}
}

/* What a driver looks at to tell a long draw from a hang: bytes that are read and written move with it. */
static void test_traffic(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		uint32_t read[2], written[2];

		open_scene(chips[n]);
		for (unsigned int i = 0; i < 2; i++) {
			read[i] = model_read32(host_model(s.e.host), VIVS_HI_PROFILE_READ_BYTES8);
			written[i] = model_read32(host_model(s.e.host), VIVS_HI_PROFILE_WRITE_BYTES8);
			if (!i)
				assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		}
		/* At least three vertices of 32 bytes, and 4 bytes a pixel, in units of 8. */
		assert_true(read[1] - read[0] >= 3 * 32 / 8);
		assert_true(written[1] - written[0] >= SIZE * SIZE * 4 / 8);
	}
}

#define TESTS(T) \
	T(test_seeds_list) T(test_stuck) T(test_resolve) T(test_2d_core) T(test_scissor) T(test_both_pipes) \
	T(test_others) T(test_risky) T(test_traffic)

UNIT_MAIN(TESTS, scene_end)
