/** Parameters that the streams of reports and of replies share. Used by their operations. */
import { maxStreamed, maxWaitSeconds } from '../../../records/feed/stream-query.ts'
import type { Parameter } from '../operation.ts'

/** Schema of the name of a consumer. */
export const consumerName = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' }

interface Streamed {
  /** What one item and several are called: `report`, `reports`. */
  readonly one: string
  readonly many: string
  readonly cursor: string
  readonly from: string
}

export function streamParameters({ one, many, cursor, from }: Streamed): readonly Parameter[] {
  return [
    optional({
      name: 'consumer',
      description: 'A name of your choice whose position is stored.',
      schema: consumerName,
    }),
    optional({ name: 'cursor', description: cursor, schema: { type: 'string', maxLength: 64 } }),
    optional({ name: 'from', description: from, schema: { type: 'string', format: 'date-time' } }),
    optional({
      name: 'limit',
      description: `Maximum number of ${many}.`,
      schema: { type: 'integer', minimum: 1, maximum: maxStreamed, default: maxStreamed },
    }),
    optional({
      name: 'wait',
      description: `Seconds to wait for a ${one} when there is none.`,
      schema: { type: 'integer', minimum: 0, maximum: maxWaitSeconds, default: 0 },
    }),
  ]
}

const optional = (parameter: Pick<Parameter, 'name' | 'description' | 'schema'>): Parameter => ({
  ...parameter,
  in: 'query',
  required: false,
})
