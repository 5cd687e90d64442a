import assert from 'node:assert/strict'
import test, { beforeEach } from 'node:test'
import { toEngineRoot, inEngineRoot } from './engine-root.ts'
import { servicesDirectory } from './paths.ts'
import { chosenRelease, extractRelease } from './releases.ts'

const urls = ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL']

beforeEach(() => {
  for (const name of ['POSTERN_ENGINES', ...urls]) Reflect.deleteProperty(process.env, name)
  process.env.POSTERN_SERVICES_DIR = '/tmp/one'
})

test('the installed engines are used unchanged by default', () => {
  assert.deepEqual(extractRelease(['pipeline', '--rounds', '3']), ['pipeline', '--rounds', '3'])
  assert.equal(chosenRelease(), 'installed')
  assert.equal(inEngineRoot('/etc/passwd'), '/etc/passwd')
  assert.equal(servicesDirectory(), '/tmp/one')
  const program = { command: 'epmd', args: ['-port', '1'] }
  assert.equal(toEngineRoot(program), program)
})

const rootFolder = '/var/tmp/postern-engines-trixie'

test('the engines of Debian 13 run in their own root, with their own data', () => {
  assert.deepEqual(extractRelease(['pipeline', '--engines', 'today', '--rounds', '3']), [
    'pipeline',
    '--rounds',
    '3',
  ])
  assert.equal(inEngineRoot('/etc/passwd'), `${rootFolder}/etc/passwd`)
  assert.equal(servicesDirectory(), '/tmp/one/today')
  const { command, args } = toEngineRoot({
    command: 'epmd',
    args: ['-port', '1'],
    account: { uid: 7, gid: 8 },
  })
  assert.equal(command, '/usr/bin/unshare')
  assert.deepEqual(args.slice(5, 7), [rootFolder, '7:8'])
  assert.ok(args.includes('/tmp/one/today'))
  assert.deepEqual(args.slice(args.indexOf('--')), ['--', 'epmd', '-port', '1'])
})

test('a library is preloaded by the engine, not by the programs that enter its root', () => {
  extractRelease(['--engines', 'today'])
  const { args, env } = toEngineRoot({
    command: 'postgres',
    args: ['-V'],
    env: { LANG: 'C', LD_PRELOAD: '/usr/lib/libfaketime.so' },
  })
  assert.deepEqual(env, { LANG: 'C' })
  assert.deepEqual(args.slice(args.indexOf('--') + 1), [
    ...['/usr/bin/env', 'LD_PRELOAD=/usr/lib/libfaketime.so', 'postgres', '-V'],
  ])
})

test('the engines of the next Debian run in another root, with other data', () => {
  extractRelease(['--engines', 'next'])
  assert.equal(inEngineRoot('/etc/passwd'), '/var/tmp/postern-engines-forky/etc/passwd')
  assert.equal(servicesDirectory(), '/tmp/one/next')
})

test('URLs of other engines do not apply to the engines of Debian 13', () => {
  for (const name of urls) process.env[name] = 'given'
  extractRelease(['--engines=installed'])
  assert.equal(process.env['POSTERN_REDIS_URL'], 'given')
  assert.deepEqual(extractRelease(['--engines=today', 'accept']), ['accept'])
  for (const name of urls) assert.equal(process.env[name], undefined)
})

test('an unknown choice is rejected with the list of valid ones', () => {
  assert.throws(() => extractRelease(['--engines', 'tomorrow']), /installed, today, next, not 'tomorrow'/)
  assert.throws(() => extractRelease(['--engines']), /--engines/)
})
