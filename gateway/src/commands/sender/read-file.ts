/** Reads the file of `postern sender import`: comma-separated, the first line names the columns. Pure. */
import { checkRegistration, type Registration } from '../../trust/senders/register.ts'
import { proofKinds, senderKinds, type ProofKind, type SenderKind } from '../../trust/senders/sender.ts'
import { readDay } from '../options.ts'
import { endOfDay, readProof, readValue } from './values.ts'

const required = ['clientId', 'kind', 'value'] as const
const optional = ['validUntil', 'proofKind', 'proof', 'issued'] as const
const known: readonly string[] = [...required, ...optional]
const maxLines = 1_000_000

export interface FileContext {
  readonly accountOf: (clientId: string) => number | undefined
  readonly state: Registration['state']
  /** YYYY-MM-DD. */
  readonly today: string
  /** Kinds of numbers that the installation allows besides ordinary ones. */
  readonly allowedKinds: readonly string[]
}

export interface SenderFile {
  readonly registrations: readonly Registration[]
  /** One sentence for each wrong line. */
  readonly errors: readonly string[]
}

export function readSenderFile(content: string, context: FileContext): SenderFile {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines.length > maxLines)
    return { registrations: [], errors: [`the file has more than ${maxLines} lines; split it`] }
  const names = splitLine(lines[0] ?? '')
  const missing = required.filter((name) => !names.includes(name))
  const unknownColumns = names.filter((name) => !known.includes(name))
  if (missing.length > 0 || unknownColumns.length > 0)
    return {
      registrations: [],
      errors: [
        `line 1 must name the columns ${required.join(', ')}, and optionally ${optional.join(', ')}; ` +
          (missing.length > 0 ? `${missing.join(', ')} is missing` : `'${unknownColumns[0]}' is unknown`),
      ],
    }
  // One statement cannot write a row twice: the last line of a sender counts.
  const found = new Map<string, Registration>()
  const errors: string[] = []
  for (const [index, line] of lines.slice(1).entries()) {
    if (line.trim() === '') continue
    try {
      const one = readLine(Object.fromEntries(zip(names, splitLine(line))), context)
      found.set(`${one.accountId}/${one.kind}/${one.value}`, one)
    } catch (error) {
      errors.push(`line ${index + 2}: ${(error as Error).message}`)
    }
  }
  if (found.size === 0 && errors.length === 0) errors.push('the file names no sender')
  return { registrations: [...found.values()], errors }
}

function readLine(row: Readonly<Record<string, string>>, context: FileContext): Registration {
  const cell = (name: string): string | undefined => (row[name] === '' ? undefined : row[name])
  const accountId = context.accountOf(cell('clientId') ?? '')
  if (accountId === undefined) throw new Error(`there is no account '${cell('clientId') ?? ''}'`)
  const kind = oneOf('kind', cell('kind') ?? '', senderKinds) as SenderKind
  const proofKind = cell('proofKind')
  const issued = cell('issued')
  const end = cell('validUntil')
  const registration: Registration = {
    ...{ accountId, kind, value: readValue(kind, cell('value') ?? ''), state: context.state },
    proof: readProof({
      ...(proofKind === undefined
        ? {}
        : { proofKind: oneOf('proofKind', proofKind, proofKinds) as ProofKind }),
      ...(cell('proof') === undefined ? {} : { proof: cell('proof')! }),
      ...(issued === undefined ? {} : { issued: readDay(issued, 'issued') }),
    }),
    validUntil: end === undefined ? null : endOfDay(readDay(end, 'validUntil')),
  }
  checkRegistration(registration, context.today, context.allowedKinds)
  return registration
}

function oneOf(name: string, value: string, values: readonly string[]): string {
  if (values.includes(value)) return value
  throw new Error(`${name} must be one of ${values.join(', ')}, not '${value}'`)
}

/** Cells may be in double quotes, which are doubled inside. */
function splitLine(line: string): string[] {
  const cells: string[] = []
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g))
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
  return cells
}

function zip(names: readonly string[], cells: readonly string[]): [string, string][] {
  if (cells.length !== names.length)
    throw new Error(`must have ${names.length} columns, as line 1 has, not ${cells.length}`)
  return names.map((name, index) => [name, cells[index]!])
}
