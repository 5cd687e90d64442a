/**
 * The chart on a real API server: installed, upgraded, rolled back and removed. After each step every object is what a fresh creation of the
 * rendered chart gives, the migrations run before the processes change, a failed migration changes nothing, and Pod Security `restricted`
 * admits every pod. Called by `npm run deploy:check -- cluster` and `npm run artefacts -- cluster`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../services/paths.ts'
import { print } from '../services/print.ts'
import { ApiServer } from './api-server.ts'
import { variants } from './chart.ts'
import { ClusterObjects, documentsOf, type KubernetesObject } from './cluster-objects.ts'
import { mustAdmitPods, mustFitTogether } from './cluster-pods.ts'
import { operatorDefinitions } from './operators.ts'
import { Release } from './release.ts'

const namespace = 'postern'
/** Same rules, no objects: what is created there without being kept is what a fresh installation would give. */
const emptyNamespace = 'fresh'
const installed = variants.operators!
/** Another image, an Ingress, an autoscaler for the API, a volume in place of an empty folder, rules for outgoing connections. */
const upgraded = variants.everything!

export async function checkCluster(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-cluster-'))
  const server = await ApiServer.start(folder)
  try {
    const objects = new ClusterObjects(server)
    const release = new Release(objects, namespace, server.kubeconfig)
    await prepare(objects)
    const counts = await runRelease(objects, release)
    rmSync(folder, { recursive: true, force: true })
    return `${counts.join(' and ')} objects; installed, upgraded, rolled back, removed`
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe logs of the server are in ${folder}`, { cause: error })
  } finally {
    await server.stop()
  }
}

/** Namespaces as a cluster with Pod Security has them, kinds of the operators, and the examples for those. */
async function prepare(objects: ClusterObjects): Promise<void> {
  for (const name of [namespace, emptyNamespace]) {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await objects.create('', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
    // By a controller in a real cluster.
    await objects.create(name, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } })
  }
  for (const definition of operatorDefinitions()) await objects.create('', definition)
  for (const file of ['rabbitmq-cluster.yaml', 'rabbitmq-monitor.yaml', 'cloudnative-pg.yaml']) {
    const example = readFileSync(join(projectRoot, 'deploy/helm/examples', file), 'utf8')
    const wrong = await objects.refusal(namespace, example.replace(/^spec:$/m, 'spec:\n  storrage: {}'))
    if (!wrong.includes('storrage')) throw new Error(`${file} with a misspelt field: ${wrong}`)
    await objects.create(namespace, example)
  }
  print('cluster: the examples of both operators are accepted, with a misspelt field refused')
}

/** Returns how many objects the release had when it was installed, and after its upgrade. */
async function runRelease(objects: ClusterObjects, release: Release): Promise<readonly number[]> {
  const worker = deployment('worker')
  await release.apply('install', installed, 'Complete', async () => {
    if ((await objects.read(namespace, worker)) !== undefined)
      throw new Error('workers exist before the migrations of the installation have ended')
  })
  const first = await mustBeAsRendered(objects, release)
  await mustAdmitPods(objects, namespace, await release.run('get hooks'), first)
  mustFitTogether(first)
  print('cluster: installed; Pod Security "restricted" admits its pods')

  // As the autoscaler does.
  await objects.patch(namespace, worker, 'scale', { spec: { replicas: 5 } })
  const before = await objects.read(namespace, worker)
  const failed = release.apply('upgrade', upgraded, 'Failed', () => Promise.resolve())
  await mustFail(failed, 'pre-upgrade hooks failed')
  mustEqual(await objects.read(namespace, worker), before, 'workers after a failed migration')

  await release.apply('upgrade', upgraded, 'Complete', async () => {
    mustEqual(await objects.read(namespace, worker), before, 'workers during the migration')
  })
  const second = await mustBeAsRendered(objects, release)
  await mustAdmitPods(objects, namespace, await release.run('get hooks'), second)
  mustFitTogether(second)
  await mustHaveReplicas(objects, worker, 5)
  print('cluster: upgraded; the number of workers is the one that the autoscaler chose')

  await release.run('rollback', '1')
  await mustBeAsRendered(objects, release)
  await mustHaveReplicas(objects, worker, 5)
  for (const object of second.filter(({ kind }) => !first.some((other) => other.kind === kind)))
    await mustBeGone(objects, object)
  await release.run('uninstall')
  for (const object of second) await mustBeGone(objects, object)
  return [first.length, second.length]
}

/** The live objects of the release, each the same as one that is newly created from the rendered chart. */
async function mustBeAsRendered(
  objects: ClusterObjects,
  release: Release,
): Promise<readonly KubernetesObject[]> {
  const live: KubernetesObject[] = []
  for (const document of documentsOf(await release.run('get manifest'))) {
    const fresh = await objects.create(emptyNamespace, document, true)
    const found = await objects.read(namespace, fresh)
    if (found === undefined) throw new Error(`${fresh.kind} ${fresh.metadata.name} is missing`)
    mustEqual(comparable(found), comparable(fresh), `${fresh.kind} ${fresh.metadata.name}`)
    live.push(found)
  }
  return live
}

/** Without what the server or an autoscaler chooses for each object. */
function comparable({ metadata: { labels }, spec = {} }: KubernetesObject): unknown {
  const chosen = ['clusterIP', 'clusterIPs', 'replicas']
  return { labels, spec: Object.entries(spec).filter(([name]) => !chosen.includes(name)) }
}

function deployment(role: string): KubernetesObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `postern-${role}` } }
}

async function mustHaveReplicas(
  objects: ClusterObjects,
  object: KubernetesObject,
  expected: number,
): Promise<void> {
  const replicas = (await objects.read(namespace, object))?.spec?.replicas
  if (replicas !== expected)
    throw new Error(`${object.metadata.name}: ${String(replicas)} replicas instead of ${expected}`)
}

async function mustBeGone(objects: ClusterObjects, object: KubernetesObject): Promise<void> {
  if ((await objects.read(namespace, object)) !== undefined)
    throw new Error(`${object.kind} ${object.metadata.name} is left behind`)
}

async function mustFail(outcome: Promise<unknown>, reason: string): Promise<void> {
  const error = await outcome.then(
    () => undefined,
    (failure: unknown) => failure as Error,
  )
  if (error?.message.includes(reason) !== true)
    throw new Error(`must fail because of "${reason}": ${error?.message ?? 'it succeeds'}`)
}

function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, must] = [JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1)]
  if (is === must) return
  const line = must.split('\n').findIndex((text, at) => text !== is.split('\n')[at])
  const near = (text: string): string =>
    text
      .split('\n')
      .slice(line - 3, line + 4)
      .join('\n')
  throw new Error(`${what} differs:\n${near(is)}\ninstead of\n${near(must)}`)
}
