import type { Gateway } from '../../support/processes/gateway.ts'
import type { HttpSimulator, Simulator } from '../../support/processes/simulator.ts'
import type { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { linkOptions, type E2eSystem } from '../system.ts'
import { flowPrefix } from './flows.ts'
import { simulatorArguments, type HttpProtocol } from './protocol.ts'

export interface ProtocolCarriers {
  /** Carriers by protocol name. MaaP has one for each mobile carrier, other protocols have one. */
  readonly http: ReadonlyMap<string, readonly HttpSimulator[]>
  /** SMSC for the last step of flows; the SMS of the run use another one. */
  readonly smsc: Simulator
  /** Carriers that call the API. Results of the others are in their responses or polled. */
  readonly callers: readonly HttpSimulator[]
  /** API that receives the requests of carriers. */
  readonly inbound: Gateway
}

export const smscName = 'smsc-flows'

/** Starts the simulated carriers and their routes. Resolves when all routes are linked. */
export async function startCarriers(
  system: E2eSystem,
  protocols: readonly HttpProtocol[],
): Promise<ProtocolCarriers> {
  const { installation, worker } = system
  const before = await worker.metric('postern_route_linked')
  const inbound = await installation.startGateway('api', 'api-inbound')
  const [smsc, ...started] = await Promise.all([
    startSmsc(system),
    ...protocols.map(
      async (protocol) => [protocol.name, await start(installation, protocol, inbound.url)] as const,
    ),
  ])
  const smscRoutes = 1
  const linked = before + smscRoutes + protocols.length
  await waitFor(
    `${linked} routes to be linked (logs: ${installation.directory})`,
    async () => (await worker.metric('postern_route_linked')) === linked,
    { timeoutMs: 60_000 },
  )
  await inbound.untilReady()
  // A carrier that is started with the URL of the API calls it.
  const callers = protocols.flatMap((protocol, index) =>
    createArguments(installation, protocol, inbound.url)
      .flat()
      .some((text) => text.includes(inbound.url))
      ? started[index]![1]
      : [],
  )
  return { http: new Map(started), smsc, callers, inbound }
}

async function start(
  installation: TestInstallation,
  protocol: HttpProtocol,
  apiUrl: string,
): Promise<readonly HttpSimulator[]> {
  const { name, kind, carrier, shapes, prefix, takesFlows } = protocol
  const simulators = await Promise.all(
    createArguments(installation, protocol, apiUrl).map((args, index) =>
      installation.startHttpSimulator(carrier, `${name}-${index + 1}`, ...args),
    ),
  )
  await installation.putRoute({
    id: name,
    protocol: kind,
    channels: [...new Set(shapes.map(({ channel }) => channel))],
    options: { ...protocol.options(simulators.map(({ url }) => url)) },
    flags: ['--prefixes', takesFlows ? `${prefix},${flowPrefix}` : prefix],
  })
  return simulators
}

function createArguments(
  { directory }: TestInstallation,
  { name, simulators }: HttpProtocol,
  apiUrl: string,
): readonly (readonly string[])[] {
  return simulators({ inbound: `${apiUrl}/inbound/${name}`, directory })
}

async function startSmsc({ installation }: E2eSystem): Promise<Simulator> {
  const simulator = await installation.startSimulator(smscName, '--record', ...simulatorArguments)
  await installation.putRoute({
    id: smscName,
    channels: ['sms'],
    simulator,
    options: linkOptions,
    flags: ['--prefixes', flowPrefix, '--priority', '1'],
  })
  return simulator
}
