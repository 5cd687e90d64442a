/** Definitions of `postern route …`. */
import { Argument, Option, type Command } from 'commander'
import { effects } from '../../acts/route-effects.ts'
import { maxOwners } from '../../jobs/route-share.ts'
import { channelNames } from '../../channels/channel-names.ts'
import { carrierList } from '../../channels/mobile-carriers.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { checked, oneOf, wholeNumber } from '../options.ts'
import { defineImport } from '../import/define-import.ts'
import { defineTemplates } from './define-templates.ts'
import { defineTry } from './define-try.ts'
import type { ExplainOptions } from './calls.ts'
import type { PutOptions } from './calls.ts'
import {
  readCarriers,
  readChannels,
  readPartsPerSecond,
  readPrefixes,
  readRate,
  readRecipient,
  readRouteId,
} from './values.ts'

const unknownAccount = 'there is no such account'

export function defineRoute(program: Command): void {
  const route = defineGroup(program, {
    name: 'route',
    summary: 'Manage routes to carriers, and which messages take them.',
    examples: ['route list', 'route explain --account shop-1 --channel sms --to 01012345678'],
  })
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
  defineChanges(route)
  defineImport(
    route,
    checked('--channels <names>', `channels of the routes: ${channelNames.join(', ')}`, readChannels).default(
      ['sms', 'international'],
    ),
  )
  defineCommand(route, {
    name: 'list',
    summary: 'List all routes in the order of preference, with their rules, their workers and their health.',
    details:
      '`postern route show` prints all settings of one route. A route with several owners has a line for each share below its own. A route that is not linked has the reason that its carrier or the network gave.',
    operation: 'listRoutes',
    examples: ['route list', "route list --json | jq '.routes[] | select(.usable | not)'"],
    json: '{"routes":[{"id":"skt-1","enabled":true,"traffic":"open","usable":true,"state":"healthy","worker":"gw-1:4711","owners":1,"shares":[{"id":"skt-1","worker":"gw-1:4711","usable":true,"state":"healthy","linkReason":null}],"priority":100,"weight":1,"protocol":"smpp","partsPerSecond":200,"channels":["sms"],"accounts":["shop-1"],"prefixes":["010"],"carriers":["10001"],"minDeliveryRate":0.9,"failoverAfterSeconds":3,"unknownPolicy":"fail"}]}',
    call: async (admin) => (await import('./calls.ts')).listRoutes(admin),
  })
  defineCommand(route, {
    name: 'show',
    summary:
      'Show every setting of a route, with secrets masked and defaults marked, and whether it is healthy.',
    details:
      'References to secrets (env:NAME, file:/path) are shown as they were given; a secret that was given itself is shown as ***. An option that the route does not set has its default, if there is one. To change a route, put it again with all of its settings.',
    arguments: [routeArgument()],
    operation: 'showRoute',
    examples: ['route show skt-1', "route show skt-1 --json | jq '.options'"],
    failures: [unknownRoute],
    json: '{"id":"skt-1","enabled":true,"traffic":"open","usable":true,"state":"healthy","shares":[{"id":"skt-1","worker":"gw-1:4711","usable":true,"state":"healthy","linkReason":null}],"channels":["sms"],"protocol":"smpp","options":{"host":"smsc.example","systemId":"me","password":"env:POSTERN_ROUTE_SECRET_SKT_PASSWORD"},"defaults":{"port":2775},"priority":100,"partsPerSecond":200,"owners":1,"accounts":["shop-1"],"prefixes":["010"],"carriers":["10001"],"weight":1,"minDeliveryRate":0.9,"failoverAfterSeconds":3,"unknownPolicy":"fail"}',
    call: async (admin, id: string) => (await import('./calls.ts')).showRoute(admin, id),
  })
  defineCommand(route, {
    name: 'explain',
    summary: 'Explain which route a message would take now, and why.',
    details:
      'Sends nothing. Prints every route with its decision: taken, passed over or no match. The exit code is 0 also when no route serves the message.',
    required: questionOptions(),
    options: [new Option('--msg-key <key>', 'decides between routes of equal priority (default: a new key)')],
    operation: 'explainRoute',
    examples: ['route explain --account shop-1 --channel sms --to 01012345678'],
    failures: [unknownAccount],
    json: '{"account":"shop-1","channel":"sms","to":"01012345678","msgKey":"…","route":"skt-1","routes":[{"id":"skt-1","decision":"taken","reason":"priority 100"}]}',
    call: async (admin, options: ExplainOptions) => (await import('./calls.ts')).explainRoute(admin, options),
  })
  defineTry(route)
  defineRanges(route)
  defineTemplates(route)
}

const unknownRoute = 'there is no such route'
const routeArgument = (): Argument => new Argument('<id>', 'the route').argParser(readRouteId)

function defineChanges(route: Command): void {
  defineCommand(route, {
    name: 'enable',
    summary: 'Use a route again that is disabled, paused or drained.',
    arguments: [routeArgument()],
    operation: 'enableRoute',
    examples: ['route enable skt-1'],
    failures: [unknownRoute],
    json: '{"id":"skt-1","enabled":true,"waiting":0}',
    call: async (admin, id: string) => (await import('./calls.ts')).enableRoute(admin, id),
  })
  defineClosing(route)
  defineCommand(route, {
    name: 'disable',
    summary: 'Stop using a route and keep its settings.',
    details:
      'Steps that wait for the route or are in its queues move to other routes that serve them, within seconds. Without such a route they wait until it is enabled again or their deadline passes. New messages that only a disabled route serves are reported with no-route.',
    arguments: [routeArgument()],
    operation: 'disableRoute',
    examples: ['route disable skt-1'],
    failures: [unknownRoute],
    json: '{"id":"skt-1","enabled":false,"waiting":140}',
    call: async (admin, id: string) => (await import('./calls.ts')).disableRoute(admin, id),
  })
  defineCommand(route, {
    name: 'delete',
    summary: 'Delete a route and its queues.',
    details:
      'Steps that wait for the route or are in its queues move to other routes that serve them, within seconds. Without such a route they fail, and the next step of their message starts or the message is reported with no-route. To let them wait, disable the route instead.',
    arguments: [routeArgument()],
    options: [new Option('--dry-run', 'print what would happen and delete nothing')],
    operation: 'deleteRoute',
    examples: ['route delete skt-1 --dry-run', 'route delete skt-1'],
    failures: [unknownRoute],
    json: '{"id":"skt-1","deleted":true,"waiting":140}',
    call: async (admin, id: string, options: { readonly dryRun?: boolean }) =>
      (await import('./calls.ts')).removeRoute(admin, id, options),
  })
}

function defineClosing(route: Command): void {
  defineCommand(route, {
    name: 'pause',
    summary: 'Submit nothing over a route, and keep its link and what waits for it.',
    details: `${effects.pause} Steps that a carrier has in part are completed.`,
    arguments: [routeArgument()],
    operation: 'pauseRoute',
    examples: ['route pause skt-1'],
    failures: [unknownRoute, 'the route is disabled'],
    json: '{"id":"skt-1","traffic":"paused","waiting":140}',
    call: async (admin, id: string) => (await import('./calls.ts')).stopTraffic(admin, id, 'pause'),
  })
  defineCommand(route, {
    name: 'drain',
    summary: 'Move what waits for a route to others, and keep its link for receipts.',
    details: `${effects.drain} Steps that a carrier has in part are completed.`,
    arguments: [routeArgument()],
    operation: 'drainRoute',
    examples: ['route drain skt-1'],
    failures: [unknownRoute, 'the route is disabled'],
    json: '{"id":"skt-1","traffic":"draining","waiting":140}',
    call: async (admin, id: string) => (await import('./calls.ts')).stopTraffic(admin, id, 'drain'),
  })
  defineCommand(route, {
    name: 'rate',
    summary: 'Set how many parts per second a route submits, over the same link.',
    arguments: [
      routeArgument(),
      new Argument('<parts-per-second>', "0 is as fast as the carrier's window allows").argParser(
        readPartsPerSecond,
      ),
    ],
    operation: 'setRouteRate',
    examples: ['route rate skt-1 50'],
    failures: [unknownRoute],
    json: '{"id":"skt-1","partsPerSecond":50,"before":200}',
    call: async (admin, id: string, partsPerSecond: number) =>
      (await import('./calls.ts')).changeRate(admin, id, partsPerSecond),
  })
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

function questionOptions(): Option[] {
  return [
    new Option('--account <client-id>', 'the account that would send'),
    oneOf('--channel <name>', 'the channel', channelNames),
    checked(
      '--to <number>',
      'the recipient: 01012345678, or + and a country code: +819012345678',
      readRecipient,
    ),
  ]
}

function defineRanges(route: Command): void {
  const ranges = defineGroup(route, {
    name: 'ranges',
    summary: 'Manage which carrier a number belongs to.',
    examples: ['route ranges import ranges.csv'],
  })
  defineCommand(ranges, {
    name: 'import',
    summary: 'Replace all number ranges by those of a file.',
    details: `One range per line: a prefix, a comma and a carrier, such as 0102,10001 or +8110,10002. A first line of titles and blank lines are skipped. Carriers: ${carrierList()}. Over the admin API a file has at most 1 MB.`,
    arguments: [new Argument('<file>', 'path of the file, UTF-8, or - for standard input')],
    operation: 'putRanges',
    examples: ['route ranges import ranges.csv'],
    json: '{"ranges":1200}',
    call: async (admin, file: string) => (await import('./ranges.ts')).importRanges(admin, file),
  })
  defineCommand(ranges, {
    name: 'clear',
    summary: 'Remove all number ranges, so that no number has a known carrier.',
    operation: 'clearRanges',
    examples: ['route ranges clear'],
    json: '{"ranges":0}',
    call: async (admin) => (await import('./ranges.ts')).clearRanges(admin),
  })
}
