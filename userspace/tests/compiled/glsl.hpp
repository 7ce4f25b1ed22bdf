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

#define GLM_FORCE_SWIZZLE
#include <glm/glm.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/packing.hpp>

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

/*
 * Textures. By the set's simulator: a colour for each lane, or "coords": a texel is its s, t, r (0 of what a
 * lookup has not) and the level or bias that the program gave. A direction's longest axis is 1.
 */
struct Sampler {
	vec4 colour;
	uint32_t coords;

	vec4 at(vec4 c, float lod) const { return coords ? vec4(vec3(c), lod) : colour; }
};
typedef Sampler sampler2D, sampler3D, samplerCube, sampler2DShadow;

static vec4 texture2D(const Sampler &s, vec2 c, float bias = 0) { return s.at(vec4(c, 0, 0), bias); }
static vec4 texture2DLod(const Sampler &s, vec2 c, float lod) { return s.at(vec4(c, 0, 0), lod); }
static vec4 texture2DProj(const Sampler &s, vec3 c) { return texture2D(s, vec2(c) / c.z); }
static vec4 texture2DProj(const Sampler &s, vec4 c) { return texture2D(s, vec2(c) / c.w); }
static vec4 textureCube(const Sampler &s, vec3 c, float bias = 0)
{
	return s.at(vec4(c / max(abs(c.x), max(abs(c.y), abs(c.z))), 0), bias);
}
static vec4 texture(const Sampler &s, vec2 c, float bias = 0) { return texture2D(s, c, bias); }
static vec4 textureLod(const Sampler &s, vec2 c, float lod) { return texture2D(s, c, lod); }
static vec4 texelFetch(const Sampler &s, ivec2 c, int lod) { return s.at(vec4(vec2(c), 0, 0), float(lod)); }

/* Derivatives: what the neighbours had as argument when they were run before. */
static int lane;
static std::vector<vec4> asked[8], before[8];

static vec4 derivative(vec4 v, int step)
{
	size_t n = asked[lane].size();
	int low = lane & ~step, high = lane | step;

	asked[lane].push_back(v);
	return n < before[low].size() && n < before[high].size() ? before[high][n] - before[low][n] : vec4(0);
}
static float dFdx(float v) { return derivative(vec4(v), 1).x; }
static float dFdy(float v) { return derivative(vec4(v), 2).x; }
static vec2 dFdx(vec2 v) { return vec2(derivative(vec4(v, 0, 0), 1)); }
static vec2 dFdy(vec2 v) { return vec2(derivative(vec4(v, 0, 0), 2)); }
static vec3 dFdx(vec3 v) { return vec3(derivative(vec4(v, 0), 1)); }
static vec3 dFdy(vec3 v) { return vec3(derivative(vec4(v, 0), 2)); }
static vec4 dFdx(vec4 v) { return derivative(v, 1); }
static vec4 dFdy(vec4 v) { return derivative(v, 2); }
template <class T> static T fwidth(T v) { return abs(dFdx(v)) + abs(dFdy(v)); }

template <class T> static auto not_all(T v) { return glm::not_(v); }
template <class T, size_t N> static int length_of(T (&)[N]) { return N; }
template <class V> static int length_of(const V &v) { return v.length(); }
static float atan(float y, float x) { return glm::atan(y, x); }

struct Variable {
	const char *name;
	void *at;
	unsigned int words;
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
};

static const Variable *find(const std::vector<Variable> &list, const std::string &name)
{
	for (const Variable &v : list)
		if (v.name == name)
			return &v;
	return nullptr;
}

/* Runs a program on all lanes, often enough for derivatives of derivatives, and prints all variables. */
static void evaluate(const Program &p, const std::map<std::string, std::vector<uint32_t>> inputs[8])
{
	std::ostringstream out;

	for (int pass = 0; pass < 4; pass++) {
		for (int i = 0; i < 8; i++) {
			before[i] = asked[i];
			asked[i].clear();
		}
		out.str("");
		for (lane = 0; lane < 8; lane++) {
			bool discarded = false;

			for (const auto *list : { &p.variables, &builtins })
				for (const Variable &v : *list)
					memset(v.at, 0, 4 * v.words);
			for (const auto &in : inputs[lane]) {
				const Variable *v = find(p.variables, in.first);

				v = v ? v : find(builtins, in.first);
				if (v)
					memcpy(v->at, in.second.data(), 4 * in.second.size());
				if (in.first == "gl_FrontFacing")
					gl_FrontFacing = in.second[0];
			}
			try {
				p.run();
			} catch (const Discard &) {
				discarded = true;
			}
			if (discarded)
				out << "discard " << lane << "\n";
			for (const auto *list : { &p.variables, &builtins }) {
				for (const Variable &v : *list) {
					out << "value " << lane << " " << v.name << std::hex;
					for (unsigned int i = 0; i < v.words; i++)
						out << " " << ((uint32_t *)v.at)[i];
					out << std::dec << "\n";
				}
			}
		}
	}
	std::cout << out.str() << "end" << std::endl;
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
			for (int i = 0; i < 8; i++)
				asked[i].clear();
			continue;
		}
		in >> n >> word >> std::hex;
		for (uint32_t v; in >> v;)
			inputs[n][word].push_back(v);
	}
	return 0;
}
