/**
 * Placeholders `{name}` and `{name|filter}` in the texts of a profile. They are found once, when the profile is compiled,
 * and filled in as values of a tree that is serialized afterwards: no value is ever read as a template or as JSON, so that
 * a message text cannot change the request. `{{` is a brace. Pure.
 */
import { isGsm7 } from '../../channels/text/gsm7.ts'
import { findNearest } from '../options.ts'
import { formatNumber } from '../phone-number.ts'

/** What the placeholders stand for; a name without a value is empty. */
export type Values = ReadonlyMap<string, string>

export interface Scope {
  /** Every name that a template may use. */
  readonly names: ReadonlySet<string>
  /** For numbers in domestic form. */
  readonly countryCode: string
  /** The text may be of a reference: an error does not quote what is between its braces. */
  readonly isHidden?: boolean
}

export type TextTemplate = (values: Values) => string
/** Undefined: the field is left out. */
export type Template = (values: Values) => unknown

type Filter = (value: string, scope: Scope) => string
type Piece =
  string | { readonly name: string; readonly filter: Filter | undefined; readonly isNumber: boolean }

const filters: Readonly<Record<string, Filter>> = {
  plus: (value, { countryCode }) => formatNumber(value, 'e164', countryCode),
  digits: (value, { countryCode }) => formatNumber(value, 'international', countryCode),
  number: (value) => value,
}
const filterNames = Object.keys(filters)

/** `max36000`: for carriers that refuse a longer time. */
const atMost =
  (max: number): Filter =>
  (value) =>
    value !== '' && Number(value) > max ? String(max) : value

/** Nested deeper is refused. */
const maxLevels = 8

export function compileText(template: string, path: string, scope: Scope): TextTemplate {
  const pieces = parse(template, path, scope)
  return (values) => pieces.map((piece) => fill(piece, values, scope)).join('')
}

/** Names that a text uses. */
export function namesIn(template: string, path: string, scope: Scope): string[] {
  return parse(template, path, scope).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]))
}

/**
 * A tree of objects, lists and texts. `{ "$gsm7": …, "$other": … }` chooses by the alphabet of the message text,
 * `{ "$advertisement": …, "$other": … }` by whether the message is one, and `{ "$without:name": … }` by whether the account
 * has no value of that name. A choice without a branch for the message is left out.
 */
export function compileTree(node: unknown, path: string, scope: Scope, level = 0): Template {
  if (level > maxLevels) throw new Error(`${path} is nested in more than ${maxLevels} levels`)
  if (typeof node === 'string') return compileValue(node, path, scope)
  if (typeof node !== 'object' || node === null) return () => node
  if (Array.isArray(node)) {
    const items = node.map((item, index) => compileTree(item, `${path}[${index}]`, scope, level + 1))
    return (values) => items.map((item) => item(values)).filter((item) => item !== undefined)
  }
  const fields = Object.entries(node).map(
    ([name, inner]) => [name, compileTree(inner, `${path}.${name}`, scope, level + 1)] as const,
  )
  const choice = fields.find(([name]) => name.startsWith('$'))
  if (choice !== undefined) return compileChoice(fields, path, scope)
  return (values) =>
    Object.fromEntries(
      fields
        .map(([name, template]) => [name, template(values)] as const)
        .filter(([, value]) => value !== undefined),
    )
}

const choices: Readonly<Record<string, (values: Values) => boolean>> = {
  $gsm7: (values) => isGsm7(values.get('text') ?? ''),
  $advertisement: (values) => values.get('advertisement') === 'true',
}

function compileChoice(
  fields: readonly (readonly [string, Template])[],
  path: string,
  scope: Scope,
): Template {
  const known = {
    ...choices,
    ...Object.fromEntries(
      [...scope.names].map((name) => [`$without:${name}`, (values: Values) => values.get(name) === '']),
    ),
  }
  const names = [...Object.keys(known), '$other']
  for (const [name] of fields) {
    if (names.includes(name)) continue
    const near = findNearest(name, names)
    throw new Error(
      `${path}.${name} is not allowed beside a choice; ${near === undefined ? 'use $gsm7, $advertisement or $without:<name>, and $other' : `did you mean ${near}?`}`,
    )
  }
  const templates = new Map(fields)
  const [choice, second] = Object.keys(known).filter((name) => templates.has(name))
  if (second !== undefined) throw new Error(`${path} has two choices: put ${second} into ${choice} or $other`)
  const isChosen = choice === undefined ? () => false : known[choice]!
  return (values) => templates.get(isChosen(values) ? choice! : '$other')?.(values)
}

/** One placeholder alone is left out when it has no value, and may be a number. */
function compileValue(template: string, path: string, scope: Scope): Template {
  const pieces = parse(template, path, scope)
  const [only] = pieces
  if (pieces.length === 1 && typeof only === 'object') {
    return (values) => {
      const value = fill(only, values, scope)
      if (value === '') return undefined
      return only.isNumber && Number.isFinite(Number(value)) ? Number(value) : value
    }
  }
  return (values) => pieces.map((piece) => fill(piece, values, scope)).join('')
}

function fill(piece: Piece, values: Values, scope: Scope): string {
  if (typeof piece === 'string') return piece
  const value = values.get(piece.name) ?? ''
  return piece.filter === undefined ? value : piece.filter(value, scope)
}

function parse(template: string, path: string, scope: Scope): Piece[] {
  const pieces: Piece[] = []
  let literal = ''
  for (const [token, name, filter] of template.matchAll(/\{\{|\{([^{}|]*)(?:\|([^{}]*))?\}|[^{]+|\{/gsu)) {
    if (token === '{{') literal += '{'
    else if (!token.startsWith('{')) literal += token
    else if (name === undefined)
      throw new Error(`${path} has a brace that ends nowhere; write {{ for a brace itself`)
    else {
      if (literal !== '') pieces.push(literal)
      literal = ''
      pieces.push(placeholder(name, filter, path, scope))
    }
  }
  if (literal !== '' || pieces.length === 0) pieces.push(literal)
  return pieces
}

function placeholder(name: string, filter: string | undefined, path: string, scope: Scope): Piece {
  if (!scope.names.has(name)) {
    const near = findNearest(name, [...scope.names])
    const what = scope.isHidden === true ? 'a placeholder' : `{${name}}`
    throw new Error(
      `${path} uses ${what}, which is not a value here${near === undefined ? `; there are ${[...scope.names].join(', ')}` : `; did you mean {${near}}?`}`,
    )
  }
  if (filter === undefined) return { name, filter: undefined, isNumber: false }
  const max = /^max(\d{1,9})$/.exec(filter)?.[1]
  if (max !== undefined) return { name, filter: atMost(Number(max)), isNumber: true }
  if (!Object.hasOwn(filters, filter)) {
    const near = findNearest(filter, filterNames)
    const what = scope.isHidden === true ? 'a filter that does not exist' : `the filter ${filter}`
    throw new Error(
      `${path} uses ${what}; ${near === undefined ? `there are ${filterNames.join(', ')}` : `did you mean ${near}?`}`,
    )
  }
  return { name, filter: filters[filter], isNumber: filter === 'number' }
}
