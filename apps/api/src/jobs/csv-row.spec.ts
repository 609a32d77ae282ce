import { describe, expect, it } from 'vitest';
import { csvRow } from './csv-row.js';

describe('csvRow', () => {
  it.each([
    [['a', 1, null, undefined, true], 'a,1,,,true\r\n'],
    [['x,y', 'say "hi"', 'two\nlines'], '"x,y","say ""hi""","two\nlines"\r\n'],
    [[{ a: 1 }, ['t']], '"{""a"":1}","[""t""]"\r\n'],
    [[''], '\r\n'],
  ])('writes %j', (cells, line) => {
    expect(csvRow(cells)).toBe(line);
  });

  it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1'])('defuses %j', (text) => {
    expect(csvRow([text]).replace(/^"/, '').startsWith("'")).toBe(true);
  });

  it.each(['-42', '+1.5', '-1e-9', -7])('leaves the number %j', (value) => {
    expect(csvRow([value])).toBe(`${value}\r\n`);
  });
});
