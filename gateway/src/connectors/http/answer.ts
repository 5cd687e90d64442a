/**
 * What the answer of a carrier means, by the ordered rules of a profile and the built-in end of the list. An answer that
 * no rule knows is never a success, and one that may be a success is never a refusal. Pure.
 */
import type { Cause } from '../../channels/cause.ts'
import type { SubmitOutcome } from '../connector.ts'
import { parseExact } from '../exact-json.ts'
import { compilePattern } from './pattern.ts'
import { firstTextAt, maxTextLength, pointerPattern, textAt } from './pointer.ts'
import type { Answer } from './profile.ts'

export interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly retryAfterMs: number | null
}

/** `login`: the carrier refused the account, for example because it has no credit, and certainly not the message alone. */
export type AnswerOutcome =
  SubmitOutcome | { readonly kind: 'login'; readonly code: string; readonly text: string }
export type AnswerReader = (answer: HttpAnswer, reference: string) => AnswerOutcome

type Conditions = readonly (readonly [what: string, pattern: RegExp])[]

export function compileAnswer(answer: Answer, throttleRetryMs: number): AnswerReader {
  const rules = answer.rules.map((rule, index) => ({
    ...rule,
    conditions: compileConditions(rule.if, `answer.rules[${index}].if`, ['status']),
  }))
  const readId = compileId(answer.id)
  return ({ status, body, retryAfterMs }, reference) => {
    const document = answer.encoding === 'json' ? parseJson(body) : body.slice(0, maxTextLength).trim()
    const code = firstTextAt(document, answer.code)
    const shown = { code: code === '' ? `http:${status}` : code, text: firstTextAt(document, answer.text) }
    const rule = rules.find(({ conditions }) => matches(conditions, document, status))
    const pauseMs = retryAfterMs ?? rule?.retryAfterMs ?? throttleRetryMs
    switch (rule?.outcome ?? endOfRules(status)) {
      case 'accepted':
        // A page of a proxy, for example: the rule saw the status alone.
        if (document === undefined) return { kind: 'unknown', ...shown }
        return { kind: 'accepted', carrierId: readId === null ? reference : readId(document) }
      case 'throttled':
        return { kind: 'throttled', code: shown.code, retryAfterMs: pauseMs }
      case 'refused':
        return { kind: 'refused', cause: causeOf(answer, code) ?? rule?.cause ?? 'refused', ...shown }
      case 'unreachable':
        return { kind: 'unreachable', ...shown }
      case 'login':
        return { kind: 'login', ...shown }
      case 'unknown':
        return { kind: 'unknown', ...shown }
    }
  }
}

/**
 * 408 is a time-out of the carrier's own, and a 2xx that no rule knows may be an acceptance. 401 and 402 concern the
 * account; 403 may concern one recipient or sender, so a profile names the codes that do not.
 */
function endOfRules(status: number): AnswerOutcome['kind'] {
  if (status === 429) return 'throttled'
  if (status === 401 || status === 402) return 'login'
  if (status >= 300 && status < 400) return 'unreachable'
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown'
}

function causeOf({ errors }: Answer, code: string): Cause | undefined {
  return code !== '' && Object.hasOwn(errors, code) ? errors[code] : undefined
}

function compileId(id: Answer['id']): ((document: unknown) => string) | null {
  if (id === 'ours') return null
  const { pointer, capture } = id
  if (capture === undefined) return (document) => textAt(document, pointer)
  const pattern = compilePattern(capture, 'answer.id.capture')
  if (new RegExp(`${pattern.source}|`, 'su').exec('')!.length !== 2)
    throw new Error('answer.id.capture must have one group, which is the id')
  return (document) => pattern.exec(textAt(document, pointer))?.[1] ?? ''
}

export function compileConditions(
  given: Readonly<Record<string, string>>,
  path: string,
  also: readonly string[] = [],
): Conditions {
  return Object.entries(given).map(([what, source]) => {
    if (!also.includes(what) && !new RegExp(pointerPattern, 'u').test(what))
      throw new Error(
        `${path}: ${what} must be ${[...also, 'body'].join(', ')} or a JSON Pointer such as /messages/0/status`,
      )
    return [what, compilePattern(source, `${path}.${what}`)] as const
  })
}

export function matches(conditions: Conditions, document: unknown, status?: number): boolean {
  return conditions.every(([what, pattern]) =>
    pattern.test(what === 'status' ? String(status) : textAt(document, what)),
  )
}

/** Undefined when it is not JSON. An integer that a number cannot hold, such as an id of 64 bits, is its text. */
export function parseJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
