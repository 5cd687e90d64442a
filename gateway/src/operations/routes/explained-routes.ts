import { list, nullable, oneOf, record, text, whole } from '../fields.ts'

export const ExplainedRoutesSchema = record(
  {
    msgKey: text('The key used for the explanation'),
    route: nullable(
      text('The route that the message would take; null if none serves it and it would fail with 90000'),
    ),
    routes: list(
      record(
        {
          id: text('ID of the route, or of a share of it'),
          routeId: text('ID of the route'),
          priority: whole('Lower is preferred'),
          weight: whole('How many messages it gets in relation to routes of the same priority'),
          decision: oneOf(['taken', 'passed over', 'no match'], 'Decision on the route'),
          reason: text('Why'),
        },
        'A route and its decision',
        { title: 'RouteDecision' },
      ),
      'All routes, in order of priority',
    ),
  },
  'The explanation',
  { title: 'RouteExplanation' },
)
