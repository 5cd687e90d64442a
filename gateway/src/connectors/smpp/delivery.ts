/**
 * Handles what a carrier delivers: receipts, and replies of recipients. Either is durable before it is acknowledged; what
 * cannot be stored is answered with a temporary error, so that the carrier delivers it again. No text is logged.
 */
import type { ConnectorContext } from '../connector.ts'
import type { Delivery } from './pending-deliveries.ts'
import type { SmppOptions } from './options.ts'
import { isReceipt, receiptReader } from './receipt.ts'
import { replyReader } from './reply.ts'
import { statuses } from '../../smpp/status.ts'
import { safeText } from '../../platform/log-error.ts'

/** Returns the handler for one carrier; it resolves with the command_status to answer. */
export function deliveryHandler(
  options: SmppOptions,
  context: ConnectorContext,
): (delivery: Delivery) => Promise<number> {
  const readReceipt = receiptReader(options)
  const readReply = replyReader(options)
  return async (delivery) => {
    const isReply = !isReceipt(delivery)
    if (isReply) context.onEvent('reply')
    try {
      if (isReply) await context.onReply?.(readReply(delivery))
      else await context.onReceipt(readReceipt(delivery))
      return statuses.ESME_ROK
    } catch (error) {
      // Only the message: the details of a database error may contain the row.
      const reason = safeText(error)
      const what = isReply ? 'a reply' : 'a receipt'
      context.log.warn({ reason }, `cannot store ${what}; asked the carrier to deliver it again`)
      return statuses.ESME_RX_T_APPN
    }
  }
}
