import type { AccountClient } from '../../support/processes/account-client.ts'
import { retryAfterThrottling } from '../../support/processes/retry-after-throttling.ts'

/** Recipient ending: accepted, but the response is lost and no receipt arrives. */
export const lostEnding = '0018'
/** Recipient ending: accepted with a response, but no receipt arrives. */
export const silentEnding = '0003'

/**
 * Two of five messages lose their response. If it were half, the circuit breaker of the route would open and
 * nothing would be submitted.
 */
const endings = [silentEnding, lostEnding, silentEnding, lostEnding, silentEnding] as const

const sendsAtOnce = 16

/**
 * Sends messages until `lost` of them lose their response. Returns the number of all messages. Passes the sent fraction to
 * `onSent`.
 */
export async function sendLookupMessages(
  client: AccountClient,
  lost: number,
  onSent: (fraction: number) => void,
): Promise<number> {
  const total = Math.ceil((lost * endings.length) / 2)
  let next = 0
  const send = async (): Promise<void> => {
    while (next < total) {
      const index = next++
      const to = `010${String(1_000 + (index % 9_000))}${endings[index % endings.length]}`
      const text = `message ${index}`
      const { body } = await retryAfterThrottling(() => client.send('sms', { from: '0234567890', to, text }))
      if (body.code !== 'A000') throw new Error(`a message was rejected: ${body.code} ${body.result}`)
      onSent(next / total)
    }
  }
  await Promise.all(Array.from({ length: sendsAtOnce }, send))
  return total
}
