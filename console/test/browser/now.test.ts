/** Sign-in, the frame and the first screen in a real browser, with a real gateway that sends. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  openPage,
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
} from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { shareBrowser, sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const maxScriptBytes = 150 * 1024
const screens = [
  '/messages',
  '/routes',
  '/accounts',
  '/senders',
  '/webhooks',
  '/parked',
  '/rules',
  '/audit',
  '/sandbox',
]

const gateway = await openConsole({ brokenRoute: true })
let failed = true
after(async () => {
  await gateway.close(failed)
})
gateway.startTraffic(20)

test('a wrong key is refused with what to do; a right one signs in and is stored nowhere', async () => {
  const { page, errors } = await sharePage()
  await page.goto(gateway.url)
  await requireAccessible(page, 'sign-in')
  await page.getByRole('button', { name: 'Use an operator key instead' }).click()
  await page.getByLabel('Operator key').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('What to do').waitFor()
  await page.getByLabel('Operator key').fill(gateway.keys.viewer)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('viewer · viewer').waitFor()
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  assert.ok(!stored.includes(gateway.keys.viewer))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  assert.deepEqual(errors, [])
})

test('the first view loads less than 150 KB of scripts', async () => {
  // Nothing is in its cache.
  const { page } = await openPage(await shareBrowser())
  let bytes = 0
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    void request.sizes().then((sizes) => {
      bytes += sizes.responseBodySize
    })
  })
  await signIn(page, gateway.url, gateway.keys.viewer)
  await page.locator('.stats').waitFor()
  await page.waitForLoadState('load')
  assert.ok(bytes > 10_000 && bytes < maxScriptBytes, `${bytes} bytes`)
  await page.context().close()
})

test('shows traffic, the broken route and what to do about it, in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  const accepted = page.locator('.stat', { hasText: 'Accepted' }).locator('dd').first()
  await waitFor('a rate of messages', async () => parseFloat(await accepted.innerText()) > 0)
  const alarm = page.locator('.alarm', { hasText: 'Route carrier-b' })
  await alarm.waitFor()
  await alarm.getByText('Open the route').waitFor()
  await page.locator('svg.flow .lane.bad', { hasText: 'carrier-b' }).waitFor()
  await page.locator('.strip', { hasText: '1 of 3' }).waitFor()
  await requireAccessibleInBoth(page, 'now')
  await alarm.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('heading', { level: 1, name: 'carrier-b' }).waitFor()
  assert.deepEqual(errors, [])
})

test('fits 390 and 2560 px, with the keyboard alone, in Korean', async () => {
  for (const width of [390, 2560]) {
    const { page, errors } = await sharePage({ width, locale: 'ko-KR' })
    await signIn(page, gateway.url, gateway.keys.viewer)
    await page.getByRole('heading', { level: 1, name: '현황' }).waitFor()
    await page.locator('.stats').waitFor()
    await requireNoSidewaysScroll(page, `${width} px`)
    await requireAccessible(page, `${width} px, Korean`)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate<string>('document.activeElement.className'), 'skip')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate<string>('document.activeElement.id'), 'content')
    assert.deepEqual(errors, [])
  }
})

test('every screen of the menu opens, without an error', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.admin)
  for (const path of screens) {
    await openScreen(page, path)
    await page.waitForURL(`**${path}**`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  assert.deepEqual(errors, [])
  failed = false
})
