/** Definitions of `postern route …`. */
import { Argument, Option, type Command } from 'commander'
import { maxOwners } from '../../jobs/route-share.ts'
import { channelNames } from '../../channels/channel-names.ts'
import { carrierList } from '../../channels/mobile-carriers.ts'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { checked, oneOf, wholeNumber } from '../options.ts'
import { defineImport } from '../import/define-import.ts'
import { defineTry } from './define-try.ts'
import type { PutOptions } from './calls.ts'
import { readCarriers, readChannels, readPrefixes, readRate, readRouteId } from './values.ts'

const unknownAccount = 'there is no such account'

export function defineRoute(program: Command): void {
  const route = findGroup(program, ['route'])
  defineCommand(route, {
    name: 'put',
    summary: 'Create or replace a route.',
    details:
      'Saves the whole route: an option that is left out has its default again. All options are checked before anything is saved. docs/routes.md explains the choice of a route. `postern route put --help smpp` lists the options of a protocol, as docs/connectors does.',
    arguments: [
      new Argument('<id>', 'the route: 1 to 32 lower-case letters, digits and hyphens').argParser(
        readRouteId,
      ),
    ],
    required: [checked('--channels <names>', `comma-separated: ${channelNames.join(', ')}`, readChannels)],
    options: [...linkOptions(), ...ruleOptions()],
    operation: 'putRoute',
    examples: [
      'route put sandbox --protocol sandbox --channels mms,rcs',
      `route put skt-1 --channels sms,international --parts-per-second 200 --options '{"host":"smsc.example","port":2775,"systemId":"me","password":"env:POSTERN_ROUTE_SECRET_SKT_PASSWORD"}'`,
    ],
    alsoReads: 'the variables and files that --options names as env:NAME and file:/path',
    failures: [`${unknownAccount} as one of --accounts`],
    json: '{"id":"skt-1"}',
    call: async (admin, id: string, options: PutOptions) =>
      (await import('./calls.ts')).putRoute(admin, id, options),
  })
  defineImport(
    route,
    checked('--channels <names>', `channels of the routes: ${channelNames.join(', ')}`, readChannels).default(
      ['sms', 'international'],
    ),
  )
  defineTry(route)
  defineRanges(program)
}

function linkOptions(): Option[] {
  return [
    // Checked by the registry of the connectors, when the link is.
    new Option(
      '--protocol <name>',
      "the carrier's protocol, see docs/connectors; sandbox sends nothing",
    ).default('smpp'),
    new Option('--options <json>', 'the link as a JSON object; required unless --protocol is sandbox'),
    wholeNumber('--priority <n>', 'lower is preferred', { min: 0, max: 1_000_000 }).default(100),
    wholeNumber('--parts-per-second <n>', "pace; 0 is as fast as the carrier's window allows", {
      min: 0,
      max: 1_000_000,
    }).default(0),
    wholeNumber(
      '--owners <n>',
      'workers that submit over it at the same time, each with links of its own and an equal share of the pace',
      { min: 1, max: maxOwners },
    ).default(1),
    new Option('--disabled', 'save it without using it'),
  ]
}

function ruleOptions(): Option[] {
  return [
    new Option('--accounts <client-ids>', 'comma-separated accounts it serves (default: all)'),
    checked(
      '--prefixes <prefixes>',
      'comma-separated beginnings of the numbers it serves, such as 010,+81 (default: all)',
      readPrefixes,
    ),
    checked(
      '--carriers <codes>',
      `comma-separated carriers of the recipients it serves: ${carrierList()} (default: all)`,
      readCarriers,
    ),
    wholeNumber('--weight <n>', 'its share among routes of the same priority', {
      min: 1,
      max: 1_000,
    }).default(1),
    checked(
      '--min-delivery-rate <share>',
      'below this share of delivered messages another route is preferred: above 0, up to 1 (default: never)',
      readRate,
    ),
    wholeNumber(
      '--failover-after-seconds <n>',
      'how long its messages wait for it before they take another route',
      {
        min: 0,
        max: 86_400,
      },
    ).default(3),
    oneOf('--unknown-policy <policy>', 'what happens at the deadline to a step that was perhaps submitted', [
      'fail',
      'resend',
    ]).default('fail'),
  ]
}

function defineRanges(program: Command): void {
  defineCommand(findGroup(program, ['route', 'ranges']), {
    name: 'import',
    summary: 'Replace all number ranges by those of a file.',
    details: `One range per line: a prefix, a comma and a carrier, such as 0102,10001 or +8110,10002. A first line of titles and blank lines are skipped. Carriers: ${carrierList()}. Over the admin API a file has at most 1 MB.`,
    arguments: [new Argument('<file>', 'path of the file, UTF-8, or - for standard input')],
    operation: 'putRanges',
    examples: ['route ranges import ranges.csv'],
    json: '{"ranges":1200}',
    call: async (admin, file: string) => (await import('./ranges.ts')).importRanges(admin, file),
  })
}
