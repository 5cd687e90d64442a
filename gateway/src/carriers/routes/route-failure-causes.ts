/**
 * Causes that indicate a problem of the route rather than of the recipient, the sender or the content. Only these count
 * against a route: an account with many dead numbers must not make a good route look bad.
 */
import type { Cause } from '../../channels/cause.ts'

/** Exhaustive, so that the compiler requires a decision for a new cause. */
const routeFailures: Readonly<Record<Cause, boolean>> = {
  delivered: false,
  timeout: true,
  'radio-failure': false,
  'phone-off': false,
  'buffer-full': false,
  'shadow-area': false,
  'temporary-failure': true,
  failed: true,
  'no-subscriber': false,
  'bad-number': false,
  // Ambiguous: the carrier does not accept such a message, or the recipient has blocked the sender.
  refused: false,
  unsupported: false,
  spam: false,
  attachment: false,
  'unregistered-sender': false,
  duplicate: false,
  'night-hours': false,
  'origin-code': false,
  'no-route': false,
  cancelled: false,
  'account-stopped': false,
  suppressed: false,
  cap: false,
  'advertisement-form': false,
  'outcome-unknown': true,
}

export function isRouteFailure(cause: Cause): boolean {
  return routeFailures[cause]
}
