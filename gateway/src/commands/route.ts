/** `postern route …` */
import { parseArgs } from 'node:util'
import type { ChannelName } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import { createConnector } from '../connectors/registry.ts'
import { loadRoutes, upsertRoute } from '../routes/queries.ts'
import type { Route } from '../routes/route.ts'
import { UsageError, type Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

function toRoute(args: string[]): Route {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      channels: { type: 'string' },
      protocol: { type: 'string', default: 'smpp' },
      options: { type: 'string' },
      priority: { type: 'string', default: '100' },
      'parts-per-second': { type: 'string', default: '0' },
      disabled: { type: 'boolean', default: false },
    },
  })
  const [id] = positionals
  if (id === undefined || !/^[a-z0-9][a-z0-9-]{0,31}$/.test(id)) {
    throw new UsageError('a route id of lower-case letters, digits and hyphens is wanted')
  }
  if (values.channels === undefined)
    throw new UsageError(`--channels is missing: some of ${Object.keys(channels).join(',')}`)
  const names = values.channels.split(',')
  const unknown = names.find((name) => !(name in channels))
  if (unknown !== undefined)
    throw new UsageError(`unknown channel '${unknown}'; known are ${Object.keys(channels).join(', ')}`)
  return {
    id,
    channels: names as ChannelName[],
    protocol: values.protocol,
    options: parseOptions(values.protocol, values.options),
    priority: Number(values.priority),
    partsPerSecond: Number(values['parts-per-second']),
    enabled: !values.disabled,
  }
}

function parseOptions(protocol: string, json: string | undefined): Record<string, unknown> {
  if (json === undefined && protocol === 'sandbox') return {}
  if (json === undefined)
    throw new UsageError('--options is missing: the link as JSON, see docs/add-a-carrier.md')
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch (error) {
    throw new UsageError(`--options is not JSON: ${(error as Error).message}`)
  }
}

async function put(args: string[]): Promise<void> {
  const route = toRoute(args)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  try {
    // Building it checks every option; nothing is linked before start().
    createConnector(route.protocol, route.options, {
      onReceipt: () => Promise.resolve(),
      onLink: () => undefined,
      log: silent,
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  await withDatabase((database) => upsertRoute(database, route))
  print(`route ${route.id} saved; running workers follow within a second or two`)
}

async function list(): Promise<void> {
  for (const route of await withDatabase((database) => loadRoutes(database))) {
    const rate = route.partsPerSecond === 0 ? 'unlimited' : `${route.partsPerSecond} parts/s`
    print(
      `${route.id.padEnd(20)} ${route.enabled ? 'on ' : 'off'} ${route.protocol.padEnd(6)} ${rate.padEnd(14)} ${route.channels.join(',')}`,
    )
  }
}

export const route: Command = {
  name: 'route',
  usage:
    'route put ID --channels sms,international --options JSON [--protocol smpp] [--priority N] [--parts-per-second N] [--disabled] | list',
  summary: 'links to carriers',
  async run([action, ...args]) {
    switch (action) {
      case 'put':
        return put(args)
      case 'list':
        return list()
      default:
        throw new UsageError(action === undefined ? 'an action is missing' : `unknown action '${action}'`)
    }
  },
}
