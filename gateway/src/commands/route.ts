/** `postern route …` */
import { UsageError, type Command } from './command.ts'
import { explain } from './route-explain.ts'
import { list } from './route-list.ts'
import { put } from './route-put.ts'
import { ranges } from './route-ranges.ts'

export const route: Command = {
  name: 'route',
  usage: [
    'route put ID --channels sms,international --options JSON [--protocol smpp] [--parts-per-second N] [--disabled]',
    '[--priority N] [--weight N] [--accounts ID,…] [--prefixes 010,+81] [--carriers 10001,…] [--min-delivery-rate 0.9]',
    '[--failover-after-seconds 3] [--unknown-policy fail|resend]',
    '| list | explain --account ID --channel sms --to NUMBER [--msg-key KEY] | ranges import FILE | ranges clear',
  ].join(' '),
  summary: 'links to carriers, and which messages take them',
  async run([action, ...args]) {
    switch (action) {
      case 'put':
        return put(args)
      case 'list':
        return list()
      case 'explain':
        return explain(args)
      case 'ranges':
        return ranges(args)
      default:
        throw new UsageError(action === undefined ? 'an action is missing' : `unknown action '${action}'`)
    }
  },
}
