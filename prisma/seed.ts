// Demo data, safe to run any number of times. A room that you delete takes its line with it.

