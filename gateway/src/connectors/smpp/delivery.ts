/**
 * Handles what a carrier delivers. A receipt is stored durably before it is acknowledged. A reply of a recipient is
 * acknowledged and dropped, because this connector only sends; the log line has the last four digits of the number and
 * never the text.
 */
import { maskNumber } from '../../channels/numbers.ts'
import { boundAddress } from '../bounds.ts'
import type { ConnectorContext } from '../connector.ts'
import type { Delivery } from './pending-deliveries.ts'
import type { SmppOptions } from './options.ts'
import { isReceipt, receiptReader } from './receipt.ts'
import { statuses } from './status.ts'
import { safeText } from '../../platform/log-error.ts'

/** Returns the handler for one carrier; it resolves with the command_status to answer. */
export function deliveryHandler(
  options: SmppOptions,
  context: ConnectorContext,
): (delivery: Delivery) => Promise<number> {
  const readReceipt = receiptReader(options)
  return async (delivery) => {
    if (!isReceipt(delivery)) {
      context.onEvent('reply')
      context.log.info(
        { from: maskNumber(boundAddress(delivery.source)) },
        'acknowledged and dropped a reply; replies are not supported',
      )
      return statuses.ESME_ROK
    }
    try {
      await context.onReceipt(readReceipt(delivery))
      return statuses.ESME_ROK
    } catch (error) {
      // Only the message: the details of a database error may contain the row.
      const reason = safeText(error)
      context.log.warn({ reason }, 'cannot store a receipt; asked the carrier to deliver it again')
      return statuses.ESME_RX_T_APPN
    }
  }
}
