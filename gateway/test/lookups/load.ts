/** The messages that each carrier gets. */
import type { AccountClient } from '../support/processes/account-client.ts'
import { repeatAsTold } from '../support/processes/repeat-as-told.ts'

/** Accepted; the response is lost, and no receipt comes. */
export const lostEnding = '0018'
/** Accepted with a response, and no receipt comes. */
export const silentEnding = '0003'

/**
 * Of five messages two lose their response: the breaker of a route opens when half of its submissions fail, and then nothing
 * is submitted.
 */
const endings = [silentEnding, lostEnding, silentEnding, lostEnding, silentEnding] as const

const sendsAtOnce = 16

/**
 * Sends messages until `lost` of them lose their response, and returns how many. `onSent` is called with the share that is
 * sent.
 */
export async function sendAll(
  client: AccountClient,
  lost: number,
  onSent: (share: number) => void,
): Promise<number> {
  const total = Math.ceil((lost * endings.length) / 2)
  let next = 0
  const send = async (): Promise<void> => {
    while (next < total) {
      const index = next++
      const to = `010${String(1_000 + (index % 9_000))}${endings[index % endings.length]}`
      const text = `message ${index}`
      const { body } = await repeatAsTold(() => client.send('sms', { from: '0234567890', to, text }))
      if (body.code !== 'A000') throw new Error(`a message was refused: ${body.code} ${body.result}`)
      onSent(next / total)
    }
  }
  await Promise.all(Array.from({ length: sendsAtOnce }, send))
  return total
}
