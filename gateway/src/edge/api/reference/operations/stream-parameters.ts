import { maxStreamed, maxWaitSeconds } from '../../../../records/feed/stream-query.ts'
import type { OperationParameter } from '../operation.ts'

export const consumerName = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' }

/** Words and descriptions that differ between reports and replies. */
interface StreamTexts {
  readonly one: string
  readonly many: string
  readonly cursor: string
  readonly from: string
}

export function streamParameters({ one, many, cursor, from }: StreamTexts): readonly OperationParameter[] {
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

const optional = (
  parameter: Pick<OperationParameter, 'name' | 'description' | 'schema'>,
): OperationParameter => ({ ...parameter, in: 'query', required: false })
