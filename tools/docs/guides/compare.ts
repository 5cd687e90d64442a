/**
 * Compares the output of a block with its page. `…` in the documented output matches anything, as a name in a
 * JSON object all other names; in JSON, values that differ in every run (message keys, times) match as well.
 * Everything else must be equal.
 */

/** Response fields whose value differs in every run. */
const changing =
  /^(msgKey|reportId|token|schema|expired|cursor|webhookId|secret|password|clientId|keyId|key|\w*Time|\w*At|at|ms|time)$/

/** Returns the difference as a sentence, or null. */
export function findDifference(documented: string, printed: string, language: string): string | null {
  return language === 'json' ? compareJson(documented, printed) : compareText(documented, printed)
}

function compareText(documented: string, printed: string): string | null {
  const wanted = lines(documented)
  const found = lines(printed)
  // A line that contains only … matches any number of lines.
  const pattern = wanted
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${likeLine(line)}\\n`))
    .join('')
  if (new RegExp(`^${pattern}$`).test(found.map((line) => `${line}\n`).join(''))) return null
  const at = wanted.findIndex((line, index) => !new RegExp(`^${likeLine(line)}$`).test(found[index] ?? ''))
  return `line ${at + 1} must be '${wanted[at] ?? '(no more lines)'}', got '${found[at] ?? '(no more lines)'}'`
}

/** Collapses runs of spaces: the width of columns depends on their contents. */
function likeLine(line: string): string {
  return line
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/ +/g, ' +'))
    .join('.*')
}

function lines(text: string): string[] {
  return text
    .replace(/\s+$/, '')
    .split('\n')
    .map((line) => line.trim())
}

/** Compares several consecutive documents one by one. */
function compareJson(documented: string, printed: string): string | null {
  const wanted = documents(documented)
  const found = documents(printed)
  if (wanted.length !== found.length)
    return `${wanted.length} JSON document(s) are documented, ${found.length} printed: ${printed.slice(0, 200)}`
  for (const [index, document] of wanted.entries()) {
    const difference = compareValues(document, found[index], '')
    if (difference !== null) return difference
  }
  return null
}

function compareValues(wanted: unknown, found: unknown, path: string): string | null {
  if (wanted === '…') return found === undefined ? `${path} is missing` : null
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return `${path} must be an array`
    const rest = wanted.at(-1) === '…'
    const listed = rest ? wanted.slice(0, -1) : wanted
    if (rest ? found.length < listed.length : found.length !== listed.length)
      return `${path} must have ${listed.length} entries, got ${found.length}`
    return first(listed.map((value, index) => compareValues(value, found[index], `${path}[${index}]`)))
  }
  if (isRecord(wanted)) {
    if (!isRecord(found)) return `${path} must be an object`
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)])
    return first(
      [...names].map((name) => {
        const inner = path === '' ? name : `${path}.${name}`
        if (name === '…') return null
        if (!(name in wanted)) return '…' in wanted ? null : `${inner} is not documented`
        if (!(name in found)) return `${inner} is missing from the output`
        if (changing.test(name) && typeof wanted[name] === typeof found[name]) return null
        return compareValues(wanted[name], found[name], inner)
      }),
    )
  }
  if (typeof wanted === 'string' && typeof found === 'string')
    return new RegExp(`^${likeLine(wanted)}$`, 's').test(found.trim()) ? null : differ(path, wanted, found)
  return wanted === found ? null : differ(path, wanted, found)
}

function differ(path: string, wanted: unknown, found: unknown): string {
  return `${path} must be ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`
}

function first(differences: readonly (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses consecutive JSON documents, on one line or over several. */
function documents(text: string): unknown[] {
  const found: unknown[] = []
  let rest = text.trim()
  while (rest !== '') {
    const end = ends(rest).find((position) => isJson(rest.slice(0, position)))
    if (end === undefined) return [...found, rest]
    found.push(JSON.parse(rest.slice(0, end)))
    rest = rest.slice(end).trim()
  }
  return found
}

/** Returns the positions where a document may end: after a closing bracket, or at the end. */
function ends(text: string): number[] {
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
