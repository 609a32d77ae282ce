/** Of longer lines only the beginning is looked at, because the shapes are not all linear. */
const MAX_LINE = 400;

/** Shapes of a line without the white space around it. */
const SHAPES: readonly RegExp[] = [
  // A statement or block of the C family.
  /[{};]$/,
  // A block of Python.
  /^(?:def|class|if|elif|else|for|while|try|except|finally|with|match|case|async)\b.*:$/,
  /^(?:import [\w.*{]|from [\w.]+ import |use [\w:]+|package [\w.]+$|#include|#!|<\?php|@\w)/,
  // A declaration or assignment.
  /^(?:(?:let|const|var|val|auto|mut|int|float|double|char|bool|String|export|local) )*[\w.[\]$:]+ ?(?:[-+*/%|&^]|\*\*|\/\/|<<|>>)?=[^=]/,
  // A call alone.
  /^(?:await |print |echo )?[\w.$]+\(.*\)[,.]?$/,
  /^(?:return|yield|raise|throw|assert)\b.*[()[\]+*/=<>'"\d]/,
  /\b(?:function|fn|func|fun|lambda)\b.*[({:]/,
  /=>|->|^[)\]}]/,
];

/** Whether at least half of the lines that are neither blank nor comments have the shape of code. */
export function looksLikeCode(text: string): boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim().slice(0, MAX_LINE))
    .filter((line) => line !== '' && !/^(?:#[^!i]|\/\/|\/\*|\*|--)/.test(line));
  const shaped = lines.filter((line) => SHAPES.some((shape) => shape.test(line)));
  return shaped.length > 0 && shaped.length * 2 >= lines.length;
}
