/** Circuit breaker of a route; opens if too many submissions fail. */
import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { CircuitBreaker, type BreakerPass } from '../../../platform/circuit-breaker.ts'
import { expiredOutcome } from '../step/outcomes.ts'
import { isRouteFailure } from '../../../carriers/routes/route-failure-causes.ts'

export class RouteBreaker extends CircuitBreaker {
  /** Records one outcome; a message of several parts has several outcomes for its one pass. */
  record(pass: BreakerPass, outcome: SubmitOutcome): void {
    this.recordOutcome(pass, isFailure(outcome))
  }
}

/**
 * Returns null if the outcome does not reflect the route: a carrier that throttles is reachable and did not
 * accept the message.
 */
function isFailure(outcome: SubmitOutcome): boolean | null {
  switch (outcome.kind) {
    case 'accepted':
      return false
    case 'throttled':
      return null
    case 'refused':
      return isRouteFailure(outcome.cause)
    case 'unreachable':
      return outcome.code === expiredOutcome.code ? null : true
    case 'unknown':
      return true
  }
}
