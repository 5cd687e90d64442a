/**
 * Compares the output of a block with its page. `…` in the documented output matches anything, as a name in a
 * JSON object all other names; in JSON, values that differ in every run (message keys, times) match as well.
 * Everything else must be equal.
 */

/** Response fields whose value differs in every run. */
const changing =
  /^(msgKey|batchId|reportId|token|schema|expired|cursor|webhookId|secret|password|clientId|keyId|key|\w*Time|\w*At|at|ms|time)$/

/** Returns the difference as a sentence, or null. */
export function findDifference(documented: string, printed: string, language: string): string | null {
  return language === 'json' ? compareJson(documented, printed) : compareText(documented, printed)
}

function compareText(documented: string, printed: string): string | null {
  const expected = splitLines(documented)
  const output = splitLines(printed)
    .map((line) => `${line}\n`)
    .join('')
  if (new RegExp(`^${toPattern(expected)}$`).test(output)) return null
  // The difference follows the most documented lines with which the output begins.
  const match = (count: number): RegExpExecArray | null =>
    new RegExp(`^${toPattern(expected.slice(0, count))}`).exec(output)
  let equal = expected.length
  while (match(equal) === null) equal -= 1
  const rest = output.slice(match(equal)![0].length)
  const got = rest === '' ? 'no more lines' : `'${rest.split('\n')[0]}'`
  if (equal === expected.length) return `after the documented lines ${got} is printed`
  return `line ${equal + 1} must be '${expected[equal]}', got ${got}`
}

/** A line that contains only … matches any number of lines. */
function toPattern(lines: readonly string[]): string {
  return lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${toLinePattern(line)}\\n`)).join('')
}

/** Collapses runs of spaces: the width of columns depends on their contents. */
function toLinePattern(line: string): string {
  return line
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/ +/g, ' +'))
    .join('.*')
}

function splitLines(text: string): string[] {
  const trimmed = text.trimEnd()
  return trimmed === '' ? [] : trimmed.split('\n').map((line) => line.trim())
}

/** Compares several consecutive documents one by one. */
function compareJson(documented: string, printed: string): string | null {
  const expected = parseDocuments(documented)
  const actual = parseDocuments(printed)
  if (expected.length !== actual.length)
    return `${expected.length} JSON document(s) are documented, ${actual.length} printed: ${printed.slice(0, 200)}`
  for (const [index, document] of expected.entries()) {
    const difference = compareValues(document, actual[index], '')
    if (difference !== null) return difference
  }
  return null
}

function compareValues(expected: unknown, actual: unknown, path: string): string | null {
  if (expected === '…') return actual === undefined ? `${path} is missing` : null
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path} must be an array`
    const rest = expected.at(-1) === '…'
    const listed = rest ? expected.slice(0, -1) : expected
    if (rest ? actual.length < listed.length : actual.length !== listed.length)
      return `${path} must have ${listed.length} entries, got ${actual.length}`
    return findFirst(listed.map((value, index) => compareValues(value, actual[index], `${path}[${index}]`)))
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return `${path} must be an object`
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return findFirst(
      [...names].map((name) => {
        const inner = path === '' ? name : `${path}.${name}`
        if (name === '…') return null
        if (!(name in expected)) return '…' in expected ? null : `${inner} is not documented`
        if (!(name in actual)) return `${inner} is missing from the output`
        if (changing.test(name) && typeof expected[name] === typeof actual[name]) return null
        return compareValues(expected[name], actual[name], inner)
      }),
    )
  }
  if (typeof expected === 'string' && typeof actual === 'string')
    return new RegExp(`^${toLinePattern(expected)}$`, 's').test(actual.trim())
      ? null
      : describeDifference(path, expected, actual)
  return expected === actual ? null : describeDifference(path, expected, actual)
}

function describeDifference(path: string, expected: unknown, actual: unknown): string {
  return `${path} must be ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`
}

function findFirst(differences: readonly (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses consecutive JSON documents, on one line or over several. */
function parseDocuments(text: string): unknown[] {
  const parsed: unknown[] = []
  let rest = text.trim()
  while (rest !== '') {
    const end = findEnds(rest).find((position) => isJson(rest.slice(0, position)))
    if (end === undefined) return [...parsed, rest]
    parsed.push(JSON.parse(rest.slice(0, end)))
    rest = rest.slice(end).trim()
  }
  return parsed
}

/** Returns the positions where a document may end: after a closing bracket, or at the end. */
function findEnds(text: string): number[] {
  return [...text.matchAll(/[}\]]/g)].map(({ index }) => index + 1).concat(text.length)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
