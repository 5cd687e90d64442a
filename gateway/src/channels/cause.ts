/**
 * Reasons why a step ended, independent of carrier and channel.
 *
 * Connectors translate a carrier's code into a cause; a channel family translates the cause into its report
 * code (the first digit of a report code is the family). So a new carrier needs no new report codes and a new
 * channel needs no new carrier tables.
 */
export const causes = [
  'delivered',
  // Temporary at the carrier; final for the step once the carrier has stopped trying.
  'timeout',
  'radio-failure',
  'phone-off',
  'buffer-full',
  'shadow-area',
  'temporary-failure',
  // Permanent at the carrier.
  'failed',
  'no-subscriber',
  'bad-number',
  'refused',
  'unsupported',
  'spam',
  'attachment',
  'unregistered-sender',
  'duplicate',
  'night-hours',
  'origin-code',
  // Set by the gateway.
  'no-route',
  'cancelled',
  'account-stopped',
  'suppressed',
  'cap',
  'advertisement-form',
  'outcome-unknown',
] as const

export type Cause = (typeof causes)[number]
