/**
 * Report codes of the text family (first digit 2), by cause. 22xxx are failures that were temporary at the
 * carrier, 23xxx are final, 9xxxx are the gateway's own.
 */
import type { ReportCode } from './channel.ts'
import type { Cause } from './cause.ts'

export const textReportCodes: Readonly<Record<Cause, ReportCode>> = {
  delivered: { code: '10000', text: 'Delivered' },
  'temporary-failure': { code: '22000', text: 'Temporary failure at the carrier' },
  timeout: { code: '22001', text: 'No delivery within the time allowed' },
  'radio-failure': { code: '22002', text: 'Radio failure' },
  'phone-off': { code: '22003', text: 'Phone switched off' },
  'buffer-full': { code: '22004', text: 'Message memory of the phone full' },
  'shadow-area': { code: '22005', text: 'Phone in a shadow area' },
  failed: { code: '23000', text: 'Delivery failed' },
  'no-subscriber': { code: '23001', text: 'No such subscriber' },
  'bad-number': { code: '23003', text: 'Wrong recipient number' },
  refused: { code: '23006', text: 'Refused by the carrier' },
  unsupported: { code: '23010', text: 'Not supported by the phone' },
  spam: { code: '23012', text: 'Blocked as spam' },
  attachment: { code: '23016', text: 'Attachment not acceptable' },
  'unregistered-sender': { code: '23023', text: 'Sender number not registered' },
  duplicate: { code: '23025', text: 'Duplicate message' },
  'night-hours': { code: '23029', text: 'Advertisement in barred hours' },
  'origin-code': { code: '23036', text: 'Wrong originCID' },
  'no-route': { code: '90000', text: 'No route for this message' },
  'outcome-unknown': { code: '99999', text: 'The carrier never said what became of it' },
}
