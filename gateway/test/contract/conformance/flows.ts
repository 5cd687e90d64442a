import assert from 'node:assert/strict'
import type { DestinationResult } from './api.ts'
import { assertAccepted, from, nextRecipient, assertRejected, waitForReports } from './api-assertions.ts'
import { omni, rcsEntry } from './request-bodies.ts'

/** Returns the entry of a flow with the fields of a single send, which has a recipient. */
export const entry = (body: object): object => ({ ...body, to: undefined })
export const sms = (text = 'hello'): object => ({ sms: { from, text } })
export const rcs = (change: object = {}): object => ({ rcs: rcsEntry(change) })

export async function sendFlow(
  messageFlow: readonly object[],
  ...destinations: readonly object[]
): Promise<readonly DestinationResult[]> {
  return (await assertAccepted('omni', { messageFlow, destinations })).body.data!.destinations!
}

/** Sends a flow to one destination, asserts A000 and returns the msgKey. */
export async function sendFlowForKey(
  flow: readonly object[],
  to = nextRecipient(),
  replaceWords?: object,
): Promise<string> {
  const [destination] = await sendFlow(flow, { to, ...(replaceWords === undefined ? {} : { replaceWords }) })
  assert.equal(destination!.code, 'A000', destination!.result)
  return destination!.msgKey
}

/** Sends a flow and returns the channel and report code of each attempted step. */
export async function findAttemptedChannels(flow: readonly object[], to: string): Promise<string[]> {
  return (await waitForReports(await sendFlowForKey(flow, to))).map(
    ({ serviceType, reportCode }) => `${serviceType} ${reportCode}`,
  )
}

export const assertFlowRejected = (flow: unknown, code: string, field?: string): Promise<void> =>
  assertRejected('omni', omni({ messageFlow: flow }), code, field)

/**
 * Returns the result code of one destination. Limits are checked for each destination, after its placeholders are
 * replaced.
 */
export async function sendFlowForCode(
  flow: readonly object[],
  destination: object = { to: nextRecipient() },
): Promise<string> {
  return (await sendFlow(flow, destination))[0]!.code
}
