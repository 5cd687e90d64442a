/** The routes for a message and the verdict of each, as operations of the admin API answer it. */
import { list, nullable, oneOf, record, text, whole } from '../fields.ts'

export const ExplainedRoutes = record(
  {
    msgKey: text('The key that it is explained for'),
    route: nullable(text('The route that it would take; null: none serves it, and it would fail with 90000')),
    routes: list(
      record(
        {
          id: text('Id of the route, or of a share of it'),
          routeId: text('Id of the route'),
          priority: whole('Lower is preferred'),
          weight: whole('Its share among routes of the same priority'),
          decision: oneOf(['taken', 'passed over', 'no match'], 'What becomes of it'),
          reason: text('Why'),
        },
        'A route and its verdict',
        { title: 'RouteDecision' },
      ),
      'Every route, in order of priority',
    ),
  },
  'The explanation',
  { title: 'RouteExplanation' },
)
