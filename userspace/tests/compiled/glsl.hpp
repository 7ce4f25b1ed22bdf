/* SPDX-License-Identifier: MIT */
/*
 * GLSL as C++, on GLM: what compiled.py puts before the programs that it rewrites. Swizzles become GLM's
 * functions, those that are written to lv<>(); floats are single (-fsingle-precision-constant).
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <ucontext.h>

#define GLM_FORCE_SWIZZLE
#include <glm/glm.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/integer.hpp>

using namespace glm;

struct Discard { };

/* A swizzle that is written to. */
template <class V, int... I> struct Ref {
	V &v;
	typedef vec<sizeof...(I), typename V::value_type> T;

	T get() const { return T(v[I]...); }
	void operator=(const T &x) { int n = 0; T y = x; ((v[I] = y[n++]), ...); }
	void operator+=(const T &x) { *this = T(get() + x); }
	void operator-=(const T &x) { *this = T(get() - x); }
	void operator*=(const T &x) { *this = T(get() * x); }
	void operator/=(const T &x) { *this = T(get() / x); }
	void operator*=(typename V::value_type x) { *this = T(get() * x); }
	void operator/=(typename V::value_type x) { *this = T(get() / x); }
};
template <int... I, class V> static Ref<V, I...> lv(V &v) { return Ref<V, I...>{ v }; }

static vec4 gl_Position, gl_FragCoord, gl_FragColor, gl_FragData[8];
static float gl_PointSize, gl_FragDepth;
static vec2 gl_PointCoord;
static int gl_VertexID, gl_InstanceID;
static bool gl_FrontFacing;
static uvec3 gl_LocalInvocationID, gl_GlobalInvocationID, gl_WorkGroupID, gl_NumWorkGroups;
static uint gl_LocalInvocationIndex;

/*
 * Textures. By the set's simulator: a colour for each lane, or "coords": a texel is its s, t, r (0 of what a
 * lookup has not) and the level or bias that the program gave. A direction's longest axis is 1, where coords is
 * not 2: then it is as it was given.
 */
struct Sampler {
	vec4 colour;
	uint32_t coords;

	vec4 at(vec4 c, float lod) const { return coords ? vec4(vec3(c), lod) : colour; }
};
/* What a lookup gives is by the type of the sampler. */
struct sampler2D : Sampler { };
struct sampler3D : Sampler { };
struct samplerCube : Sampler { };
struct sampler2DShadow : Sampler { };
struct samplerCubeShadow : Sampler { };

static vec4 texture2D(const sampler2D &s, vec2 c, float bias = 0) { return s.at(vec4(c, 0, 0), bias); }
static vec4 texture2DLod(const sampler2D &s, vec2 c, float lod) { return s.at(vec4(c, 0, 0), lod); }
static vec4 texture2DProj(const sampler2D &s, vec3 c) { return texture2D(s, vec2(c) / c.z); }
static vec4 texture2DProj(const sampler2D &s, vec4 c) { return texture2D(s, vec2(c) / c.w); }
static vec4 textureCube(const samplerCube &s, vec3 c, float bias = 0)
{
	return s.at(vec4(s.coords == 2 ? c : c / max(abs(c.x), max(abs(c.y), abs(c.z))), 0), bias);
}
static vec4 texture(const sampler2D &s, vec2 c, float bias = 0) { return texture2D(s, c, bias); }
static vec4 textureLod(const sampler2D &s, vec2 c, float lod) { return texture2D(s, c, lod); }
static vec4 texture(const sampler3D &s, vec3 c, float bias = 0) { return s.at(vec4(c, 0), bias); }
static vec4 textureLod(const sampler3D &s, vec3 c, float lod) { return s.at(vec4(c, 0), lod); }
static vec4 texture(const samplerCube &s, vec3 c, float bias = 0) { return textureCube(s, c, bias); }
static vec4 textureLod(const samplerCube &s, vec3 c, float lod) { return textureCube(s, c, lod); }
/* Shadow maps give the reference. */
static float texture(const sampler2DShadow &s, vec3 c, float bias = 0) { return s.coords ? c.z : s.colour.x; }
static float textureLod(const sampler2DShadow &s, vec3 c, float lod) { return texture(s, c); }
static float texture(const samplerCubeShadow &s, vec4 c) { return s.coords ? c.w : s.colour.x; }
static vec4 texelFetch(const sampler2D &s, ivec2 c, int lod) { return s.at(vec4(vec2(c), 0, 0), float(lod)); }
static vec4 texelFetch(const sampler3D &s, ivec3 c, int lod) { return s.at(vec4(vec3(c), 0), float(lod)); }
static vec4 texelFetchOffset(const sampler2D &s, ivec2 c, int lod, ivec2 offset) { return texelFetch(s, c + offset, lod); }
static vec4 textureCubeLod(const samplerCube &s, vec3 c, float lod) { return textureCube(s, c, lod); }
static vec4 textureGrad(const sampler2D &s, vec2 c, vec2, vec2) { return texture2D(s, c); }
static vec4 textureGrad(const samplerCube &s, vec3 c, vec3, vec3) { return textureCube(s, c); }

/*
 * Lanes run as coroutines, one after the other; yield() lets the others catch up. All variables of a
 * program are the running lane's: a snapshot of each of the others is kept.
 */
static int lane;
static bool finished[8], discarded[8];
static ucontext_t scheduler, coroutines[8];

static void yield()
{
	swapcontext(&coroutines[lane], &scheduler);
}

/* Derivatives: what the neighbour had as argument of the same call. */
static std::vector<vec4> asked[8];

static vec4 derivative(vec4 v, int step)
{
	size_t n = asked[lane].size();
	int low = lane & ~step, high = lane | step, other = lane ^ step;

	asked[lane].push_back(v);
	while (asked[other].size() <= n && !finished[other])
		yield();
	return asked[other].size() > n ? asked[high][n] - asked[low][n] : vec4(0);
}
static float dFdx(float v) { return derivative(vec4(v), 1).x; }
static float dFdy(float v) { return derivative(vec4(v), 2).x; }
static vec2 dFdx(vec2 v) { return vec2(derivative(vec4(v, 0, 0), 1)); }
static vec2 dFdy(vec2 v) { return vec2(derivative(vec4(v, 0, 0), 2)); }
static vec3 dFdx(vec3 v) { return vec3(derivative(vec4(v, 0), 1)); }
static vec3 dFdy(vec3 v) { return vec3(derivative(vec4(v, 0), 2)); }
static vec4 dFdx(vec4 v) { return derivative(v, 1); }
static vec4 dFdy(vec4 v) { return derivative(v, 2); }
template <class T> static T fwidth(T v) { T x = abs(dFdx(v)); return x + abs(dFdy(v)); }

/* Compute shaders: memory that all lanes have, and where they wait for each other. */
static int arrived[8];

static void barrier()
{
	arrived[lane]++;
	for (int i = 0; i < 8; i++)
		while (arrived[i] < arrived[lane] && !finished[i])
			yield();
}
static void memoryBarrierShared() { }
static void memoryBarrierBuffer() { }
static void memoryBarrier() { }
#define ATOMIC(name, e) template <class T, class U> static T name(T &m, U v) { T old = m; m = e; return old; }
ATOMIC(atomicAdd, old + v)
ATOMIC(atomicAnd, old & v)
ATOMIC(atomicOr, old | v)
ATOMIC(atomicXor, old ^ v)
ATOMIC(atomicMin, old < T(v) ? old : v)
ATOMIC(atomicMax, old > T(v) ? old : v)
ATOMIC(atomicExchange, v)
template <class T, class U> static T atomicCompSwap(T &m, U compare, U v) { T old = m; m = old == compare ? v : old; return old; }

/* 8 by 8 texels. */
struct image2D {
	vec4 texel[64];
};
static vec4 imageLoad(const image2D &i, ivec2 p) { return i.texel[p.y * 8 + p.x]; }
static void imageStore(image2D &i, ivec2 p, vec4 v) { i.texel[p.y * 8 + p.x] = v; }

template <class T> static auto not_all(T v) { return glm::not_(v); }
template <class T, size_t N> static int length_of(T (&)[N]) { return N; }
template <class V> static int length_of(const V &v) { return v.length(); }
/* GLM extends no sign, takes a negative number's highest bit for another one, and subtracts the wrong way round. */
static int findMSB(int v) { return glm::findMSB(uint(v < 0 ? ~v : v)); }
static uint subtract_borrow(uint a, uint b, uint &borrow) { borrow = a < b; return a - b; }
#define usubBorrow subtract_borrow
static int bitfieldExtract(int v, int offset, int n) { return n ? int(uint(v) << (32 - offset - n)) >> (32 - n) : 0; }
static ivec4 bitfieldExtract(ivec4 v, int o, int n)
{
	return ivec4(bitfieldExtract(v.x, o, n), bitfieldExtract(v.y, o, n), bitfieldExtract(v.z, o, n), bitfieldExtract(v.w, o, n));
}
static float atan(float y, float x) { return glm::atan(y, x); }

struct Variable {
	const char *name;
	void *at;
	unsigned int words;
	bool common;	/* to all lanes: buffers, images, shared memory */
};

struct Program {
	const char *name;
	void (*run)();
	std::vector<Variable> variables;
};

extern const std::vector<Program> programs;

static const std::vector<Variable> builtins = {
	{ "gl_Position", &gl_Position, 4 }, { "gl_FragCoord", &gl_FragCoord, 4 }, { "gl_FragColor", &gl_FragColor, 4 },
	{ "gl_FragData", gl_FragData, 32 }, { "gl_PointSize", &gl_PointSize, 1 }, { "gl_PointCoord", &gl_PointCoord, 2 },
	{ "gl_VertexID", &gl_VertexID, 1 }, { "gl_InstanceID", &gl_InstanceID, 1 }, { "gl_FragDepth", &gl_FragDepth, 1 },
	{ "gl_LocalInvocationID", &gl_LocalInvocationID, 3 }, { "gl_GlobalInvocationID", &gl_GlobalInvocationID, 3 },
	{ "gl_WorkGroupID", &gl_WorkGroupID, 3 }, { "gl_NumWorkGroups", &gl_NumWorkGroups, 3 },
	{ "gl_LocalInvocationIndex", &gl_LocalInvocationIndex, 1 },
};

static const Variable *find(const std::vector<Variable> &list, const std::string &name)
{
	for (const Variable &v : list)
		if (v.name == name)
			return &v;
	return nullptr;
}

static std::vector<Variable> variables;		/* of the program, and the builtins */
static std::vector<uint32_t> kept[8];
static const Program *running;

/* Between the variables and a lane's snapshot. */
static void keep(bool restore)
{
	size_t n = 0;

	for (const Variable &v : variables) {
		if (v.common)
			continue;
		kept[lane].resize(std::max(kept[lane].size(), n + v.words));
		if (restore)
			memcpy(v.at, &kept[lane][n], 4 * v.words);
		else
			memcpy(&kept[lane][n], v.at, 4 * v.words);
		n += v.words;
	}
}

static void run_lane()
{
	try {
		running->run();
	} catch (const Discard &) {
		discarded[lane] = true;
	}
	finished[lane] = true;
}

/* Runs a program on all lanes, and prints all variables. */
static void evaluate(const Program &p, const std::map<std::string, std::vector<uint32_t>> inputs[8])
{
	static std::vector<char> stacks[8];
	bool front[8] = { };
	int left = 8;

	running = &p;
	variables = p.variables;
	variables.insert(variables.end(), builtins.begin(), builtins.end());
	for (const Variable &v : variables)
		memset(v.at, 0, 4 * v.words);
	for (lane = 0; lane < 8; lane++) {
		for (const auto &in : inputs[lane]) {
			const Variable *v = find(variables, in.first);

			if (v)
				memcpy(v->at, in.second.data(), 4 * in.second.size());
			front[lane] |= in.first == "gl_FrontFacing" && in.second[0];
		}
		keep(false);
		asked[lane].clear();
		finished[lane] = discarded[lane] = arrived[lane] = 0;
		stacks[lane].resize(1 << 18);
		getcontext(&coroutines[lane]);
		coroutines[lane].uc_stack.ss_sp = stacks[lane].data();
		coroutines[lane].uc_stack.ss_size = stacks[lane].size();
		coroutines[lane].uc_link = &scheduler;
		makecontext(&coroutines[lane], run_lane, 0);
	}
	while (left) {
		for (lane = 0; lane < 8; lane++) {
			if (finished[lane])
				continue;
			keep(true);
			gl_FrontFacing = front[lane];
			swapcontext(&scheduler, &coroutines[lane]);
			keep(false);
			left -= finished[lane];
		}
	}
	for (lane = 0; lane < 8; lane++) {
		keep(true);
		if (discarded[lane])
			std::cout << "discard " << lane << "\n";
		for (const Variable &v : variables) {
			std::cout << "value " << lane << " " << v.name << std::hex;
			for (unsigned int i = 0; i < v.words; i++)
				std::cout << " " << ((uint32_t *)v.at)[i];
			std::cout << std::dec << "\n";
		}
	}
	std::cout << "end" << std::endl;
}

/* "program NAME", then "LANE VARIABLE WORDS..." until "run". */
int main()
{
	std::map<std::string, std::vector<uint32_t>> inputs[8];
	const Program *program = nullptr;
	std::string line, word;

	while (std::getline(std::cin, line)) {
		std::istringstream in(line);
		int n;

		if (line == "run") {
			evaluate(*program, inputs);
			continue;
		}
		if (line.rfind("program ", 0) == 0) {
			for (const Program &p : programs)
				program = line.substr(8) == p.name ? &p : program;
			for (auto &i : inputs)
				i.clear();
			continue;
		}
		in >> n >> word >> std::hex;
		for (uint32_t v; in >> v;)
			inputs[n][word].push_back(v);
	}
	return 0;
}
