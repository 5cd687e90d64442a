/** Flows of the combined send as the main account sends them. */
import assert from 'node:assert/strict'
import type { Destination } from './api.ts'
import { accepts, from, recipient, refuses, reportsOf } from './api-assertions.ts'
import { omni, rcsEntry } from './request-bodies.ts'

export const entry = (body: object): object => ({ ...body, to: undefined })
export const sms = (text = 'hello'): object => ({ sms: { from, text } })
export const rcs = (change: object = {}): object => ({ rcs: rcsEntry(change) })

export async function send(
  messageFlow: readonly object[],
  ...destinations: readonly object[]
): Promise<readonly Destination[]> {
  return (await accepts('omni', { messageFlow, destinations })).body.data!.destinations!
}

/** The key of the only destination, which must have been accepted. */
export async function keyOf(
  flow: readonly object[],
  to = recipient(),
  replaceWords?: object,
): Promise<string> {
  const [one] = await send(flow, { to, ...(replaceWords === undefined ? {} : { replaceWords }) })
  assert.equal(one!.code, 'A000', one!.result)
  return one!.msgKey
}

export async function channelsTried(flow: readonly object[], to: string): Promise<string[]> {
  return (await reportsOf(await keyOf(flow, to))).map(
    ({ serviceType, reportCode }) => `${serviceType} ${reportCode}`,
  )
}

export const refusesFlow = (flow: unknown, code: string, field?: string): Promise<void> =>
  refuses('omni', omni({ messageFlow: flow }), code, field)

/** Limits are checked for each destination, after its placeholders are filled in. */
export async function destinationCode(
  flow: readonly object[],
  destination: object = { to: recipient() },
): Promise<string> {
  return (await send(flow, destination))[0]!.code
}
