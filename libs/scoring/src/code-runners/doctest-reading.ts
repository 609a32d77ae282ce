/** One example of a docstring: what to run and what must come of it. */
export interface DoctestExample {
  readonly source: string;
  readonly want: string;
  /** The last line of an expected traceback. */
  readonly exception: string | null;
  /** Names of doctest's option flags that are on. */
  readonly flags: readonly string[];
}

/** The doctests of a message, and the code around them. */
export interface DoctestReading {
  /** One list for each docstring: its examples share their names. */
  readonly tests: readonly (readonly DoctestExample[])[];
  /** Definitions of the message that the answer may build on. */
  readonly context: string;
  /** All code of the message, for an answer that goes on where it ends. */
  readonly code: string;
}

/** What running one example came to. */
export interface DoctestOutput {
  readonly output: string;
  /** The last line of the traceback, when it raised. */
  readonly raised: string | null;
}
