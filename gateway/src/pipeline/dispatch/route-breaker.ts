/** The circuit breaker of a route: opens when too many submissions fail. */
import type { SubmitOutcome } from '../../connectors/connector.ts'
import { CircuitBreaker, type Pass } from '../../platform/circuit-breaker.ts'
import { expiredOutcome } from './step/outcomes.ts'
import { isRouteFailure } from '../../routes/route-failure-causes.ts'

export class RouteBreaker extends CircuitBreaker {
  /** One call per outcome; a message of several parts has several for its one pass. */
  record(pass: Pass, outcome: SubmitOutcome): void {
    this.note(pass, judge(outcome))
  }
}

/** Null: says nothing about the route. A carrier that throttles is reachable and did not accept the message. */
function judge(outcome: SubmitOutcome): boolean | null {
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
