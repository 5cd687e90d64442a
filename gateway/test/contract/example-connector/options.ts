import { Type, type Static } from 'typebox'
import {
  closed,
  integer,
  milliseconds,
  secret,
  url,
} from '../../../src/carriers/connectors/options/options.ts'

export const AcmeOptions = Type.Object(
  {
    url: url('Base URL of the API of the carrier.'),
    user: Type.String({ description: 'User name, assigned by the carrier.', minLength: 1, maxLength: 64 }),
    key: secret('API key.'),
    window: integer('Maximum number of unanswered requests.', 20, 1, 1_000),
    responseTimeoutMs: milliseconds('Time limit for a response. Then the outcome is unknown.', 30_000),
  },
  { ...closed, description: 'Options of a link to Acme.' },
)
export type AcmeOptions = Static<typeof AcmeOptions>
