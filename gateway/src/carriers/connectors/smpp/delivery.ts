/**
 * Handles deliveries of a carrier: receipts, and replies of recipients. Both are durable before they are acknowledged. A
 * delivery that cannot be stored gets a temporary error, so that the carrier delivers it again. Never logs text.
 */
import type { ConnectorContext } from '../connector.ts'
import type { SmppDelivery } from './pending-deliveries.ts'
import type { SmppOptions } from './options.ts'
import { isReceipt, receiptReader } from './receipt.ts'
import { replyReader } from './reply.ts'
import { statuses } from '../../smpp/status.ts'
import { safeText } from '../../../platform/logging/log-error.ts'

/** Returns the handler for one carrier; it resolves to the command_status of the response. */
export function deliveryHandler(
  options: SmppOptions,
  context: ConnectorContext,
): (delivery: SmppDelivery) => Promise<number> {
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
      // Log only the message: the details of a database error can contain the row.
      const reason = safeText(error)
      const subject = isReply ? 'a reply' : 'a receipt'
      context.log.warn({ reason }, `cannot store ${subject}; asked the carrier to deliver it again`)
      return statuses.ESME_RX_T_APPN
    }
  }
}
