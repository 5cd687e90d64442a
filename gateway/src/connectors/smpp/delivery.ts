/**
 * What a carrier delivers to us: a receipt is made durable before the carrier is told that we have it; a
 * person's reply is answered and dropped, because this connector only sends. The log learns that a reply
 * came, and from which four last digits, never what it says.
 */
import { maskNumber } from '../../channels/numbers.ts'
import type { ConnectorContext } from '../connector.ts'
import type { Delivery } from './inbox.ts'
import type { SmppOptions } from './options.ts'
import { isReceipt, receiptReader } from './receipt.ts'
import { statuses } from './status.ts'

/** Returns the handler for one carrier; it resolves with the command_status to answer. */
export function deliveryHandler(
  options: SmppOptions,
  context: ConnectorContext,
  onReply: () => void,
): (delivery: Delivery) => Promise<number> {
  const readReceipt = receiptReader(options)
  return async (delivery) => {
    if (!isReceipt(delivery)) {
      onReply()
      context.log.info({ from: maskNumber(delivery.source) }, 'a reply was answered and dropped')
      return statuses.ESME_ROK
    }
    try {
      await context.onReceipt(readReceipt(delivery))
      return statuses.ESME_ROK
    } catch (error) {
      // Its message and no more: the details of a database error may quote the row.
      const reason = error instanceof Error ? error.message : String(error)
      context.log.warn({ reason }, 'a receipt could not be stored; the carrier will deliver it again')
      return statuses.ESME_RX_T_APPN
    }
  }
}
