"""The numbers of Magic's core and magic, as the rulings print them (M3 to M7); lengths in millimetres."""

SIDES = ("boche", "noman")
PHASES = ("start", "move", "shoot", "fight", "end")
RATES = {
    "boche": {"walk": 80, "run": 160, "charge": 200, "flee": 200, "rout": 240, "berserk": 300},
    "noman": {"walk": 100, "run": 180, "charge": 220, "flee": 220, "rout": 240, "berserk": 330},
}
GRADES = {"green": -1, "regular": 0, "veteran": 1, "leader": 2}
COLUMNS = (100, 200, 300, 400)
SHOTS: dict[str, tuple[int | None, ...]] = {
    "stone": (45, 30, None, None),
    "pilum": (60, 35, None, None),
    "sling": (55, 45, 35, 25),
    "bow": (60, 50, 40, 30),
}
HURLED = ("stone", "pilum")
BLOWS = {"sword": 1, "spear": 1, "stone": 0, "pilum": 0, "sling": 0, "bow": 0}
CONTACT = 20

SKILLS = {
    "light fire": -25,
    "light witch-fire": -100,
    "stealth": -50,
    "berserk": -100,
    "flatulence": 10,
    "unlock door": -75,
    "keen eye": -50,
    "strong arm": 0,
    "elf ears": -25,
    "cheeky chappie": 0,
}
SKILL_OF_THROW = list(SKILLS)

# Members up to, and the skilled figures for throws of 1-2, 3-4, 5-6.
SKILLED = ((5, (0, 1, 1)), (10, (1, 1, 2)), (20, (2, 3, 4)), (30, (3, 4, 6)))

WORDS = {
    "stay": (70, 40),
    "heel": (80, 50),
    "roll over": (40, 10),
    "seize": (90, 60),
    "away": (65, 55),
    "come by": (70, 40),
    "gercha": (40, 20),
    "leave it": (50, 40),
    "fetch": (30, 20),
    "good boy": (70, 5),
}
WORD_RULE = {word: f"M5.{number}" for number, word in enumerate(WORDS, 1)}

GLAMOURS = (
    "roadblock",
    "too many broken hearts",
    "better the khylie you know",
    "spinning around",
    "take steps",
)
ILLUSIONS = ("pile", "chuffa-puffa", "bloated belly")
ILLUSION_RULE = {"pile": "M7.1", "chuffa-puffa": "M7.2", "bloated belly": "M7.3"}

# The Power Chord: the ring's limit, and its results for throws of 1 to 10.
RINGS = (
    (50, (6, 5, 5, 5, 4, 4, 4, 3, 3, 1)),
    (100, (1, 2, 3, 3, 4, 4, 4, 5, 5, 6)),
    (150, (6, 5, 4, 4, 3, 3, 3, 2, 2, 1)),
    (200, (1, 2, 6, 2, 2, 3, 3, 4, 4, 6)),
    (250, (5, 4, 4, 4, 3, 6, 2, 2, 2, 1)),
    (300, (1, 2, 1, 3, 1, 4, 1, 5, 1, 6)),
)
