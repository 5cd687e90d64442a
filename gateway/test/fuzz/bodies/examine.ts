/**
 * Sends one body and returns the findings about the response and about the durable message, if one was
 * accepted.
 */
import { isResultCode, resultCodes } from '../../../src/contract/result-codes.ts'
import type { BodyCase } from './generate/cases.ts'
import { isFields, toArray, type Fields } from './oracle/fields.ts'
import { checkAcceptedBody } from './oracle/judge.ts'
import type { RawClient, RawResponse } from './raw-client.ts'
import type { AcceptedQueues } from './accepted-queues.ts'

export interface ExaminedResponse {
  readonly findings: readonly string[]
  /** Result code of the response; empty if there was no response or it was not an object. */
  readonly code: string
  readonly accepted: number
  readonly milliseconds: number
}

/** A slower response is a finding, even on a busy machine. */
export const maxResponseMs = 10_000
const success = 'A000'

export async function examineBody(
  { send, bytes }: BodyCase,
  client: RawClient,
  queue: AcceptedQueues,
): Promise<ExaminedResponse> {
  let answer: RawResponse
  try {
    answer = await client.post(`/v1/send/${send}`, bytes)
  } catch (error) {
    return { findings: [`no response: ${String(error)}`], code: '', accepted: 0, milliseconds: 0 }
  }
  const { milliseconds } = answer
  const slow = milliseconds > maxResponseMs ? ['the response took too long'] : []
  const envelope = parse(answer.text)
  if (!isFields(envelope))
    return { findings: ['the response is not an object'], code: '', accepted: 0, milliseconds }
  const code = String(envelope['code'])
  const findings = [...slow, ...checkEnvelope(answer, envelope)]
  if (code !== success || findings.length > 0) return { findings, code, accepted: 0, milliseconds }
  const results = resultsOf(send, envelope)
  const keys = results.filter((result) => result['code'] === success).map((result) => result['msgKey'])
  findings.push(...results.flatMap(checkResult))
  if (findings.length > 0) return { findings, code, accepted: keys.length, milliseconds }
  findings.push(...(await checkAccepted(send, bytes, envelope, results, queue)))
  return { findings, code, accepted: keys.length, milliseconds }
}

function checkEnvelope(answer: RawResponse, { code, result }: Fields): string[] {
  const found: string[] = []
  if (!/^application\/json\b/.test(answer.contentType)) found.push(`content type '${answer.contentType}'`)
  if (typeof code !== 'string' || code.length !== 4)
    return [...found, 'code is not a string of four characters']
  if (typeof result !== 'string' || result === '') found.push('result is missing')
  if (!isResultCode(code)) return [...found, `code ${code} is not in the table of result codes`]
  if (resultCodes[code].status !== answer.httpStatus)
    found.push(`code ${code} with HTTP ${answer.httpStatus}`)
  if (answer.httpStatus >= 500) found.push(`HTTP ${answer.httpStatus} with code ${code}`)
  return found
}

function resultsOf(send: string, envelope: Fields): readonly Fields[] {
  if (send !== 'omni') return [envelope]
  const destinations = isFields(envelope['data']) ? toArray(envelope['data']['destinations']) : []
  return destinations.filter(isFields)
}

function checkResult({ code, result, msgKey }: Fields): string[] {
  if (typeof code !== 'string' || !isResultCode(code)) return ['a destination with an unknown code']
  if (resultCodes[code].status >= 500) return [`a destination with code ${code}`]
  if (typeof result !== 'string' || result === '') return ['a destination without a result']
  const keyed = typeof msgKey === 'string' && /^\S{20,40}$/.test(msgKey)
  return keyed === (code === success) ? [] : [`code ${code} with msgKey '${String(msgKey)}'`]
}

async function checkAccepted(
  send: string,
  bytes: Buffer,
  envelope: Fields,
  results: readonly Fields[],
  queue: AcceptedQueues,
): Promise<string[]> {
  const accepted = results.filter(({ code }) => code === success).map(({ msgKey }) => String(msgKey))
  const durable = await queue.take(accepted)
  const jobs = results.map((result) => (result['code'] === success ? durable.shift() : undefined))
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return ['a body that is not JSON in UTF-8 was accepted']
  }
  const ref = isFields(body) ? (body['ref'] ?? undefined) : undefined
  const echoed = envelope['ref'] === ref ? [] : ['the response has a different ref']
  return [...echoed, ...checkAcceptedBody(send, body, jobs)]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
