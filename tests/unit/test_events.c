// What a player crosses, against a list of everything that lies on an endless ribbon of passes over the clip.
#include "check.h"

#include "runtime/events.h"

#include <math.h>
#include <string.h>

#define MAX_EVENTS 6
#define MAX_CROSSED 4096

typedef struct crossed {
    uint32_t kind;
    int32_t event;
    double time;
} crossed;

typedef struct list {
    uint32_t count;
    crossed items[MAX_CROSSED];
} list;

static void put(list* to, uint32_t kind, int32_t event, double time)
{
    if (to->count < MAX_CROSSED) {
        to->items[to->count] = (crossed) { kind, event, time };
    }
    to->count++;
}

static bool same(const list* a, const list* b)
{
    bool is_same = CHECK_EQ_INT(a->count, b->count) && CHECK(a->count < MAX_CROSSED);
    for (uint32_t i = 0; is_same && i < a->count; i++) {
        is_same = CHECK_EQ_INT(a->items[i].kind, b->items[i].kind) && CHECK_EQ_INT(a->items[i].event, b->items[i].event)
            && CHECK(a->items[i].time == b->items[i].time);
    }
    return is_same;
}

/// A clip with events at `times`, ascending.
static mrwi_clip make_clip(double duration, uint32_t count, const double* times, mrwi_clip_event* events)
{
    for (uint32_t i = 0; i < count; i++) {
        events[i] = (mrwi_clip_event) { times[i], "", NULL };
    }
    return (mrwi_clip) { .duration = duration, .event_count = count, .events = events };
}

static void collect(const mrwi_crossing* crossing, const mrwi_clip* clip, list* out)
{
    mrwi_event_cursor cursor = { 0 };
    mrw_event event = { .layer = 5 };
    while (mrwi_crossing_next(crossing, clip, &cursor, &event)) {
        CHECK_EQ_INT(event.layer, 5);
        put(out, event.kind, event.event, event.time);
    }
}

static void step(mrwi_player* player, const mrwi_clip* clip, double dt, list* out)
{
    mrwi_crossing crossing;
    double before = player->at.time;
    bool moves = mrwi_player_advance(player, clip, dt, &crossing);
    CHECK(moves || player->at.time == before);
    collect(&crossing, clip, out);
}

static mrwi_player start(const mrwi_clip* clip, float speed, bool once)
{
    mrwi_player player = { 0 };
    player.at = mrwi_playhead_of(clip, 0, speed, once);
    return player;
}

// ------------------------------------------------------------------------------------------------ by hand

// 0------e0----------e1-----| e2 at the end, e3 at the start
static const double hand_times[4] = { 0, 0.25, 0.75, 1 };

TEST(a_clip_starts_with_its_event_at_zero)
{
    mrwi_clip_event events[4];
    mrwi_clip clip = make_clip(1, 4, hand_times, events);
    mrwi_player player = start(&clip, 1, false);
    list got = { 0 };
    step(&player, &clip, 0, &got);
    CHECK_EQ_INT(got.count, 1);
    CHECK_EQ_INT(got.items[0].event, 0);
    step(&player, &clip, 0, &got);
    step(&player, &clip, 0.125, &got);
    CHECK_EQ_INT(got.count, 1);
    step(&player, &clip, 0.125, &got);
    CHECK_EQ_INT(got.count, 2);
    CHECK_EQ_INT(got.items[1].event, 1);
    step(&player, &clip, 0.25, &got);
    CHECK_EQ_INT(got.count, 2);
}

TEST(a_wrap_crosses_the_end_then_the_start)
{
    mrwi_clip_event events[4];
    mrwi_clip clip = make_clip(1, 4, hand_times, events);
    mrwi_player player = start(&clip, 1, false);
    list got = { 0 };
    step(&player, &clip, 2.5, &got);
    CHECK(player.at.time == 0.5);
    static const crossed expected[11] = { { MRW_EVENT_MARK, 0, 0 }, { MRW_EVENT_MARK, 1, 0.25 }, { MRW_EVENT_MARK, 2, 0.75 },
        { MRW_EVENT_MARK, 3, 1 }, { MRW_EVENT_LOOP, -1, 1 }, { MRW_EVENT_MARK, 0, 0 }, { MRW_EVENT_MARK, 1, 0.25 },
        { MRW_EVENT_MARK, 2, 0.75 }, { MRW_EVENT_MARK, 3, 1 }, { MRW_EVENT_LOOP, -1, 1 }, { MRW_EVENT_MARK, 0, 0 } };
    list wanted = { .count = 11 };
    memcpy(wanted.items, expected, sizeof expected);
    put(&wanted, MRW_EVENT_MARK, 1, 0.25);
    same(&got, &wanted);
}

TEST(backwards_the_order_is_mirrored)
{
    mrwi_clip_event events[4];
    mrwi_clip clip = make_clip(1, 4, hand_times, events);
    mrwi_player player = start(&clip, -1, false);
    list got = { 0 };
    step(&player, &clip, 1, &got);
    // Time stands at 0, not below: the event there and the loop are still to come.
    static const crossed first[3] = { { MRW_EVENT_MARK, 3, 1 }, { MRW_EVENT_MARK, 2, 0.75 }, { MRW_EVENT_MARK, 1, 0.25 } };
    list wanted = { .count = 3 };
    memcpy(wanted.items, first, sizeof first);
    same(&got, &wanted);
    got.count = 0;
    step(&player, &clip, 0.5, &got);
    static const crossed second[4]
        = { { MRW_EVENT_MARK, 0, 0 }, { MRW_EVENT_LOOP, -1, 0 }, { MRW_EVENT_MARK, 3, 1 }, { MRW_EVENT_MARK, 2, 0.75 } };
    wanted.count = 4;
    memcpy(wanted.items, second, sizeof second);
    same(&got, &wanted);
    CHECK(player.at.time == 0.5);
}

TEST(played_once_it_ends_once)
{
    mrwi_clip_event events[4];
    mrwi_clip clip = make_clip(1, 4, hand_times, events);
    mrwi_player player = start(&clip, 2, true);
    list got = { 0 };
    step(&player, &clip, 0.25, &got);
    CHECK_EQ_INT(got.count, 2);
    step(&player, &clip, 100, &got);
    CHECK(player.at.time == 1 && player.at.ended);
    REQUIRE(CHECK_EQ_INT(got.count, 5));
    CHECK_EQ_INT(got.items[4].kind, MRW_EVENT_END);
    CHECK(got.items[4].time == 1);
    step(&player, &clip, 1, &got);
    CHECK_EQ_INT(got.count, 5);
    // Turned round it leaves the end, and ends again at the start.
    player.at.speed = -1;
    step(&player, &clip, 0.5, &got);
    CHECK(player.at.time == 0.5 && !player.at.ended);
    CHECK_EQ_INT(got.count, 7);
    step(&player, &clip, 0.5, &got);
    REQUIRE(CHECK_EQ_INT(got.count, 10));
    CHECK_EQ_INT(got.items[8].event, 0);
    CHECK_EQ_INT(got.items[9].kind, MRW_EVENT_END);
    CHECK(got.items[9].time == 0 && player.at.ended);
}

TEST(a_clip_without_length_starts_and_ends_but_never_loops)
{
    mrwi_clip_event events[1];
    mrwi_clip clip = make_clip(0, 1, hand_times, events);
    mrwi_player player = start(&clip, 1, false);
    list got = { 0 };
    step(&player, &clip, 5, &got);
    step(&player, &clip, 5, &got);
    CHECK_EQ_INT(got.count, 1);
    player = start(&clip, 1, true);
    got.count = 0;
    step(&player, &clip, 5, &got);
    step(&player, &clip, 5, &got);
    REQUIRE(CHECK_EQ_INT(got.count, 2));
    CHECK_EQ_INT(got.items[0].kind, MRW_EVENT_MARK);
    CHECK_EQ_INT(got.items[1].kind, MRW_EVENT_END);
}

TEST(events_outside_the_clip_never_come)
{
    static const double times[3] = { -0.5, 0.5, 1.5 };
    mrwi_clip_event events[3];
    mrwi_clip clip = make_clip(1, 3, times, events);
    for (int direction = -1; direction <= 1; direction += 2) {
        mrwi_player player = start(&clip, (float)direction, false);
        list got = { 0 };
        step(&player, &clip, 10.25, &got);
        uint32_t marks = 0;
        for (uint32_t i = 0; i < got.count; i++) {
            marks += got.items[i].kind == MRW_EVENT_MARK;
            CHECK(got.items[i].kind == MRW_EVENT_LOOP || got.items[i].event == 1);
        }
        CHECK_EQ_INT(marks, 10);
        CHECK_EQ_INT(got.count, 20);
    }
}

TEST(a_huge_step_is_counted_exactly)
{
    static const double times[1] = { 0.25 };
    mrwi_clip_event events[1];
    mrwi_clip clip = make_clip(0.5, 1, times, events);
    mrwi_player player = start(&clip, 1, false);
    mrwi_crossing crossing;
    mrwi_player_advance(&player, &clip, 1e9 + 0.125, &crossing);
    CHECK(crossing.wraps == 2000000000u);
    CHECK(player.at.time == 0.125);
    mrwi_event_cursor cursor = { 0 };
    mrw_event event = { 0 };
    for (int i = 0; i < 4; i++) {
        CHECK(mrwi_crossing_next(&crossing, &clip, &cursor, &event));
        CHECK_EQ_INT(event.kind, i % 2 == 0 ? MRW_EVENT_MARK : MRW_EVENT_LOOP);
        CHECK(event.count == (i < 2 ? 1 : 1999999999));
    }
    CHECK(!mrwi_crossing_next(&crossing, &clip, &cursor, &event));
    static const double steps[4] = { 1e300, 1.7e308, -1e300, -1.7e308 };
    for (int i = 0; i < 4; i++) {
        player = start(&clip, (float)(i < 2 ? 3e38 : -3e38), false);
        mrwi_player_advance(&player, &clip, fabs(steps[i]), &crossing);
        CHECK(player.at.time >= 0 && player.at.time <= 0.5);
        CHECK(crossing.wraps >= (uint64_t)1 << 51);
    }
}

// Sums of the counts of each event and of the loops, over one step.
static void sum_counts(const mrwi_crossing* crossing, const mrwi_clip* clip, double sums[5], uint32_t* told)
{
    mrwi_event_cursor cursor = { 0 };
    mrw_event event = { 0 };
    for (*told = 0; mrwi_crossing_next(crossing, clip, &cursor, &event); ++*told) {
        sums[event.kind == MRW_EVENT_LOOP ? 4 : event.event] += event.count;
    }
}

TEST(a_very_long_step_tells_rounds_that_are_alike_as_one)
{
    // Whole rounds from 0.5 on cross each of the four events and the end as often; a round is five.
    static const struct {
        double rounds;
        uint32_t told;
    } cases[] = { { 2000, 10000 }, { 2001, 10 }, { 1e12, 10 } };
    mrwi_clip_event events[4];
    mrwi_clip clip = make_clip(1, 4, hand_times, events);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double rounds = cases[i].rounds;
        for (int backward = 0; backward < 2; backward++) {
            mrwi_player player = start(&clip, 1, false);
            mrwi_crossing crossing;
            mrwi_player_advance(&player, &clip, 0.5, &crossing);
            player.at.speed = backward ? -1 : 1;
            mrwi_player_advance(&player, &clip, rounds, &crossing);
            CHECK_EQ_INT(crossing.wraps, (uint64_t)rounds);
            double sums[5] = { 0 };
            uint32_t told = 0;
            sum_counts(&crossing, &clip, sums, &told);
            for (int k = 0; k < 5; k++) {
                CHECK(sums[k] == rounds);
            }
            CHECK_EQ_INT(told, cases[i].told);
        }
    }
}

TEST(time_does_not_drift)
{
    mrwi_clip clip = make_clip(1, 0, NULL, NULL);
    mrwi_player player = start(&clip, 1, false);
    mrwi_crossing crossing;
    const double dt = 0x1.11p-6; // about 1/60, exact in binary
    uint64_t wraps = 0;
    for (int i = 0; i < 1000000; i++) {
        mrwi_player_advance(&player, &clip, dt, &crossing);
        wraps += crossing.wraps;
    }
    double total = dt * 1000000;
    CHECK(player.at.time == total - floor(total));
    CHECK(wraps == (uint64_t)floor(total));
}

// ------------------------------------------------------------------------------------------------ random walks

static uint32_t random_state = 7;
static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/// Everything at ribbon place `place` = pass * duration + time, forward order: the events of the pass that ends there, the loop, the
/// events of the pass that begins there.
static void list_place(const mrwi_clip* clip, double place, bool backward, list* out)
{
    double pass = floor(place / clip->duration);
    double time = place - pass * clip->duration;
    crossed found[2 * MAX_EVENTS + 1];
    uint32_t count = 0;
    for (int part = 0; part < 2; part++) {
        double at = part == 0 ? clip->duration : time;
        if (part == 0 && time != 0) {
            continue;
        }
        for (uint32_t i = 0; i < clip->event_count; i++) {
            if (clip->events[i].time == at) {
                found[count++] = (crossed) { MRW_EVENT_MARK, (int32_t)i, at };
            }
        }
        if (part == 0) {
            found[count++] = (crossed) { MRW_EVENT_LOOP, -1, backward ? 0 : clip->duration };
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const crossed* item = &found[backward ? count - 1 - i : i];
        put(out, item->kind, item->event, item->time);
    }
}

/// A step on the ribbon in units of 1/64 s: the places in (from, to] forward, [from, to) from above when backwards.
static void list_step(const mrwi_clip* clip, int64_t from, int64_t to, list* out)
{
    for (int64_t at = from + 1; at <= to; at++) {
        list_place(clip, (double)at / 64, false, out);
    }
    for (int64_t at = from; at > to; at--) {
        list_place(clip, (double)at / 64, true, out);
    }
}

TEST(walks_to_and_fro_cross_what_lies_on_the_ribbon)
{
    for (int round = 0; round < 200; round++) {
        double times[MAX_EVENTS];
        mrwi_clip_event events[MAX_EVENTS];
        uint32_t length = 8 + random_below(88);
        uint32_t count = random_below(MAX_EVENTS);
        for (uint32_t i = 0; i < count; i++) {
            times[i] = (double)random_below(length + 1) / 64;
            for (uint32_t j = i; j > 0 && times[j] < times[j - 1]; j--) {
                double other = times[j];
                times[j] = times[j - 1];
                times[j - 1] = other;
            }
        }
        mrwi_clip clip = make_clip((double)length / 64, count, times, events);
        mrwi_player player = start(&clip, 1, false);
        // Far from 0, so that the ribbon has passes in both directions.
        int64_t place = 1000 * (int64_t)length;
        list got = { 0 }, wanted = { 0 };
        mrwi_crossing crossing;
        mrwi_player_advance(&player, &clip, 0, &crossing);
        for (int i = 0; i < 40; i++) {
            int32_t speed = (int32_t)random_below(9) - 4;
            uint32_t sixteenths = random_below(i % 4 == 0 ? 200 : 12);
            player.at.speed = (float)speed;
            step(&player, &clip, (double)sixteenths / 64, &got);
            list_step(&clip, place, place + speed * (int64_t)sixteenths, &wanted);
            place += speed * (int64_t)sixteenths;
            CHECK(player.at.time == fmod((double)place / 64, clip.duration));
        }
        REQUIRE(same(&got, &wanted));
    }
}

TEST(many_small_steps_cross_what_one_big_step_crosses)
{
    for (int round = 0; round < 400; round++) {
        double times[MAX_EVENTS];
        mrwi_clip_event events[MAX_EVENTS];
        uint32_t length = 1 + random_below(64);
        uint32_t count = random_below(MAX_EVENTS);
        for (uint32_t i = 0; i < count; i++) {
            times[i] = (double)(i * length / MAX_EVENTS + random_below(2)) / 64;
        }
        mrwi_clip clip = make_clip((double)length / 64, count, times, events);
        bool once = round % 2 == 0;
        float speed = (float)((int32_t)random_below(4) + 1) / 4;
        speed = round % 4 < 2 ? speed : -speed;
        mrwi_player big = start(&clip, speed, once);
        mrwi_player small = start(&clip, speed, once);
        list of_big = { 0 }, of_small = { 0 };
        uint32_t total = 0;
        for (int i = 0; i < 30; i++) {
            uint32_t part = random_below(10);
            total += part;
            step(&small, &clip, (double)part / 256, &of_small);
        }
        step(&big, &clip, (double)total / 256, &of_big);
        CHECK(big.at.time == small.at.time);
        REQUIRE(same(&of_small, &of_big));
    }
}
