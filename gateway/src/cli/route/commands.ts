/**
 * Defines `postern route put`, `import`, `try` and `ranges import`. The other route commands are derived from their
 * operations.
 */
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

const unknownAccount = 'an account was not found'

export function defineRoute(program: Command): void {
  const route = findGroup(program, ['route'])
  defineCommand(route, {
    name: 'put',
    summary: 'Create or replace a route.',
    details:
      'Saves the whole route: an omitted option is reset to its default. All options are checked before anything is saved. docs/operations/routes.md explains how a route is chosen. `postern route put --help smpp` lists the options of a protocol, like docs/reference/connectors.',
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
    failures: [`${unknownAccount} (--accounts)`],
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
    // The registry of the connectors checks it together with the link.
    new Option(
      '--protocol <name>',
      "the carrier's protocol, see docs/reference/connectors; sandbox sends nothing",
    ).default('smpp'),
    new Option('--options <json>', 'the link as a JSON object; required unless --protocol is sandbox'),
    wholeNumber('--priority <n>', 'routes with a lower value are preferred', {
      min: 0,
      max: 1_000_000,
    }).default(100),
    wholeNumber('--parts-per-second <n>', "maximum rate; 0 means no limit but the carrier's window", {
      min: 0,
      max: 1_000_000,
    }).default(0),
    wholeNumber(
      '--owners <n>',
      'number of workers that submit concurrently, each with its own links and an equal share of the rate',
      { min: 1, max: maxOwners },
    ).default(1),
    new Option('--disabled', 'save the route without using it'),
  ]
}

function ruleOptions(): Option[] {
  return [
    new Option('--accounts <client-ids>', 'comma-separated accounts of the route (default: all)'),
    checked(
      '--prefixes <prefixes>',
      'comma-separated number prefixes, such as 010,+81 (default: all)',
      readPrefixes,
    ),
    checked(
      '--carriers <codes>',
      `comma-separated carriers of recipients: ${carrierList()} (default: all)`,
      readCarriers,
    ),
    wholeNumber('--weight <n>', 'how many messages it gets in relation to routes of the same priority', {
      min: 1,
      max: 1_000,
    }).default(1),
    checked(
      '--min-delivery-rate <share>',
      'minimum delivery rate; below it another route is preferred: above 0, up to 1 (default: never)',
      readRate,
    ),
    wholeNumber(
      '--failover-after-seconds <n>',
      'time that messages wait for this route before they take another one',
      { min: 0, max: 86_400 },
    ).default(3),
    oneOf('--unknown-policy <policy>', 'handling of a step with an unknown outcome at its deadline', [
      'fail',
      'resend',
    ]).default('fail'),
  ]
}

function defineRanges(program: Command): void {
  defineCommand(findGroup(program, ['route', 'ranges']), {
    name: 'import',
    summary: 'Replace all number ranges with those of a file.',
    details: `One range per line: a prefix, a comma and a carrier, such as 0102,10001 or +8110,10002. A title line and blank lines are skipped. Carriers: ${carrierList()}. Over the admin API a file has at most 1 MB.`,
    arguments: [new Argument('<file>', 'path of the file, UTF-8, or - for standard input')],
    operation: 'putRanges',
    examples: ['route ranges import ranges.csv'],
    json: '{"ranges":1200}',
    call: async (admin, file: string) => (await import('./ranges.ts')).importRanges(admin, file),
  })
}
