"""What the two files of the bad night are put together from."""

LEVELS = ("INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR")
UNITS = ("hub-ingest", "hub-doors", "hub-pins", "hub-ledger", "modem-gw", "wave-runner")
ACTIONS = ("frame", "frame dump", "retry frame", "resync", "latch trace", "session state", "replay", "queue snapshot")
FIELDS = (
    *("ctl", "seq", "ack", "nonce", "bay_mask", "latch_us", "vbat_raw", "tboard", "rssi", "cell", "plmn", "apn_idx"),
    *("pin_tbl", "pin_crc", "bk", "rf", "ledger_off", "shard", "lag_ms", "span", "trace", "heap", "fds", "wm_low"),
    *("wm_high", "frame_len", "crc", "profile", "boot", "wave", "slot", "epoch", "drift_us", "peer", "qdepth", "rq"),
)
STATES = ("ok", "busy", "stale", "synced", "unsynced", "held", "dropped", "requeued", "latched", "null", "true")

DIARY_HEAD = """# Field service diary 2026

Exported from the old wiki on 30 November. The export has lost the headings of the days, so everything is in one piece
now; somebody should put them in again before this is used for anything.

"""
REST_HEAD = """## Found in another file

These days were in a file of their own, nobody knows why. They belong to the diary.

"""
SITES = (
    *("EM-03", "EM-04", "EM-07", "EM-09", "EM-10", "EM-11", "HC-01", "HC-02", "HC-04", "HC-06", "LT-01", "MB-01"),
    *("MB-02", "MB-05", "MB-08", "QV-01", "QV-03", "RS-02", "RS-04", "TN-01", "TN-02", "WD-05", "WD-06", "WD-09"),
)
PEOPLE = ("Ewa", "Bastian", "Ilse", "Rafael", "Noor", "Kilian", "Tomas", "Jette", "Malin", "Greta")
PARTS = (
    *("a latch K3", "a strike plate", "a hinge", "a keypad", "an antenna kit", "a gas spring", "a bay light"),
    *("a smoke sensor", "a controller", "a door of the lower level", "the battery strap", "the seal of a door"),
)
WEATHER = ("rain", "sleet", "fog", "bright sun", "a wind that shut every door", "frost", "drizzle", "heat", "hail")
OPENINGS = (
    "Started late because the van was blocked.",
    "A quiet morning, which was a mistake to say aloud.",
    "Two people ill, so the round was planned anew over coffee.",
    "Full round in the north.",
    "Planned as an office day.",
    "The phone rang before the coffee was ready.",
    "Left at six to be back for the meeting, which was then moved.",
    "Only one van, the other one is at the inspection.",
    "Began with the list from the weekend.",
    "Trainees along today.",
    "",
)
EVENTS = (
    "At {site} bay {bay} blinked amber; it was {part} after all, changed in {minutes} minutes.",
    "{who} measured {volts} volts at {site} and decided to leave the pack in for now.",
    "Swapped the pack at {site} in {weather}, {minutes} minutes with everything, and pressed the button this time.",
    "The signal at {site} was minus {signal}, which is what it always is when a lorry stands in front of it.",
    "{who} and {other} argued about whether {part} can be adjusted or has to be replaced, and replaced it.",
    "A rider at {site} explained for {minutes} minutes how the door works, and was right about most of it.",
    "Somebody had put a sticker over the keypad at {site}, so that nobody could read the number of bay {bay}.",
    "{who} found a bicycle helmet, a sandwich and a library book in bay {bay} of {site} and wrote it all down.",
    "{site} was offline when we came and online when we left, and nobody touched anything in between.",
    "The slab at {site} has a crack now that was not in the photographs of the spring; measured, marked, reported.",
    "Ordered {part} for {site}, since the one on the van had gone to {there} the day before.",
    "The key book at {site} had an entry without a second name, so {who} telephoned until there was one.",
    "Bay {bay} of {site} would not confirm; {other} pushed the door with the flat hand and it did.",
    "After the update {site} came back at {volts} volts where it had shown half a volt less in the night.",
    "We moved the antenna at {site} by a metre and gained a few dB, now minus {signal}.",
    "{who} tightened the anchors at {site} and two of the four had moved past the paint.",
    "The drain slots at {site} were full of leaves again, {minutes} minutes with a screwdriver and bad words.",
    "A wasp nest behind the service door of {site}: closed it again, called the town, wrote it on the list.",
    "{site} got {part}, and as nobody had the right bit, {other} drove back for it, {minutes} minutes.",
    "The test booking at {site} was ended with the wrong button, so finance has a refund of two euros to think about.",
    "Showed {other} how to read the blinks; three are the battery and five are the network, not the other way round.",
    "In {weather} the light of bay {bay} at {site} can hardly be seen from the road; noted for the workshop.",
    "{who} cleared bay {bay} at {site} with {other}, photographs and all, and the bicycle is in the store.",
    "Nothing wrong at {site}, apart from the sign, which somebody had turned to the wall.",
    "The operator of {site} asked when the new firmware comes, and {who} said what we always say.",
    "A neighbour of {site} brought tea, told us about the winter of his childhood, and held the ladder.",
    "Grease on the latch of bay {bay} at {site}, the wrong kind, so out it went with a rag and {minutes} minutes.",
    "Compared {site} with its twin across the street: same age, same riders, {volts} volts here and more over there.",
)
CLOSINGS = (
    "Back at five, van washed.",
    "To do tomorrow: the two things that we did not do today.",
    "Nobody was hurt, one thumb is blue.",
    "Written in the car park.",
    "The list is shorter than yesterday.",
    "The rest has to wait for parts.",
    "",
    "",
)
