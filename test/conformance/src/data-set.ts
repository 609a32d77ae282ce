import { type ExampleInput, parseWith, type SuiteHeader } from '@kiln/contracts';
import { type z } from 'zod';

/** An answer of the data set: its own right answer, a wrong one that it names, or one that somebody has graded. */
export interface KnownAnswer {
  /** What it is, for reports: `gold`, `as an endpoint parses it`. */
  readonly name: string;
  readonly text: string;
  /** Calls in the form that an endpoint returns. */
  readonly toolCalls?: readonly unknown[];
  /** `wrong` = anything but a pass and an error. */
  readonly expected: 'pass' | 'fail' | 'wrong';
  /** Whose passes are counted together and compared with what was published. */
  readonly group?: string;
}

export interface ReadExample {
  readonly example: ExampleInput & { readonly id: string };
  /** Empty where only a judge could say what is right. */
  readonly answers: readonly KnownAnswer[];
}

/** What becomes of a row: examples, or the reason why it is none. */
export type ReadRow = readonly ReadExample[] | { readonly leftOut: string };

interface About {
  /** What --only selects; the name of the suite. */
  readonly name: string;
  /** In the folder of the data. */
  readonly file: string;
}

/** Suite-level settings as a suite file writes them. */
type HeaderFields = Partial<Omit<SuiteHeader, 'name' | 'default_scorer'>>;

interface SuiteDefinition<Row> extends About {
  readonly row: z.ZodType<Row>;
  readonly scorer: object;
  readonly header?: HeaderFields;
  read(row: Row, line: number): ReadRow;
  /** Passes of each group of answers, as published. */
  readonly published?: Readonly<Record<string, number>>;
  /** Why an answer does not come out as expected: `<example id>` or `<example id>: <answer>`; or why a line is no row: `line 7`. */
  readonly exceptions?: Readonly<Record<string, string>>;
  /** Answers of the next example must not pass, unless the two have the same target. Not for sets without targets to tell apart. */
  readonly comparesNeighbours?: boolean;
  /** Its scorer runs code: it is skipped where none can be run. */
  readonly runsCode?: boolean;
}

/** A data set that is read as a suite. */
export interface SuiteDataSet extends About {
  readonly kind: 'suite';
  readonly scorer: object;
  readonly header: HeaderFields;
  readonly published: Readonly<Record<string, number>>;
  readonly exceptions: Readonly<Record<string, string>>;
  readonly comparesNeighbours: boolean;
  readonly runsCode: boolean;
  /** @throws {KilnError} when the row has not the fields that it should have */
  read(value: unknown, line: number): ReadRow;
}

/** A data set in which nothing is asked. */
export interface OtherDataSet extends About {
  readonly kind: 'other';
  readonly why: string;
}

export type DataSet = SuiteDataSet | OtherDataSet;

export function suiteDataSet<Row>({ row, read, ...definition }: SuiteDefinition<Row>): SuiteDataSet {
  return {
    kind: 'suite',
    header: {},
    published: {},
    exceptions: {},
    comparesNeighbours: false,
    runsCode: false,
    ...definition,
    read: (value, line) => read(parseWith(row, value, `line ${line}`), line),
  };
}
