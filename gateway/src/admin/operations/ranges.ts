/** Which carrier numbers belong to. */
import { parseRanges, replaceNumberRanges } from '../../acts/ranges.ts'
import { record, text, whole } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'

const Ranges = record({ ranges: whole('Ranges that there are now') }, 'The ranges', { title: 'NumberRanges' })
const path = '/admin/v1/number-ranges'

export const rangeOperations = [
  defineOperation({
    id: 'putRanges',
    method: 'put',
    path,
    tag: 'Routes',
    summary: 'Replace all number ranges; running processes follow within two seconds',
    description: 'The body has at most 1 MB, which are about 60,000 ranges.',
    access: changes('routes'),
    action: 'route ranges import',
    maxBodyBytes: 1024 * 1024,
    body: {
      lines: text(
        'A range in each line: a prefix such as 0102 or +8110, a comma and a carrier such as 10001',
        {
          minLength: 1,
        },
      ),
    },
    data: Ranges,
    run: async ({ body: { lines } }, { audit }) => {
      const ranges = parseRanges(lines)
      await replaceNumberRanges(audit, ranges)
      return { ranges: ranges.length }
    },
  }),
  defineOperation({
    id: 'clearRanges',
    method: 'delete',
    path,
    tag: 'Routes',
    summary: 'Remove all number ranges, so that no number has a known carrier',
    access: changes('routes'),
    action: 'route ranges clear',
    command: { examples: [''] },
    data: Ranges,
    run: async (_input, { audit }) => {
      await replaceNumberRanges(audit, [])
      return { ranges: 0 }
    },
  }),
]
