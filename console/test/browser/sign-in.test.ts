import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../gateway/src/platform/database/database.ts'
import {
  currentCode,
  firstPassword,
  resetUsedCodes,
  setFirstPassword,
} from '../../../gateway/test/support/http/browser.ts'
import {
  clientSecret,
  createTestProvider,
  type TestProvider,
} from '../../../gateway/test/support/http/openid-provider.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'
import { openPage, openScreen, requireAccessible } from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { shareBrowser, sharePage } from '../support/shared-browser.ts'

let provider: TestProvider
const gateway = await openConsole({
  settings: async (url) => {
    provider = await createTestProvider(`${url}/admin/v1/oidc/callback`)
    return {
      POSTERN_ADMIN_URL: url,
      POSTERN_ADMIN_OIDC_ISSUER: provider.issuer,
      POSTERN_ADMIN_OIDC_CLIENT_ID: 'postern',
      POSTERN_ADMIN_OIDC_CLIENT_SECRET: 'env:OIDC_SECRET',
      OIDC_SECRET: clientSecret,
      POSTERN_ADMIN_OIDC_SCOPE: 'openid profile groups',
      POSTERN_ADMIN_OIDC_ROLES: 'on-call=operator',
    }
  },
})
const database = openDatabase(gateway.installation.databaseUrl, silentLog, { connections: 2 })
let failed = true
after(async () => {
  await database.end()
  await gateway.close(failed)
})

const ownPassword = 'a long password of my own'
/** Secret of the second factor that the first test enrols. */
let secret = ''

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in with the second factor of the first test. */
async function signInAgain(page: Page): Promise<void> {
  await resetUsedCodes(database)
  await fill(page, { Name: 'operator', Password: ownPassword, Code: currentCode(secret) })
  await page.locator('.strip').waitFor()
}

test('the first sign-in enrols a second factor and replaces the password', async () => {
  await setFirstPassword(database, 'operator')
  const { page, errors } = await sharePage()
  await page.goto(`${gateway.url}/audit`)
  await fill(page, { Name: 'operator', Password: firstPassword })
  await page.locator('strong', { hasText: 'Add this secret to your authenticator app' }).waitFor()
  secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  await requireAccessible(page, 'the second factor')
  await fill(page, { Code: currentCode(secret), 'New password': ownPassword })
  await page.locator('strong', { hasText: 'Recovery codes' }).waitFor()
  assert.equal((await page.locator('.recovery').innerText()).trim().split('\n').length, 10)
  await requireAccessible(page, 'recovery codes')
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('operator · operator').waitFor()
  // The requested screen.
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  await page.reload()
  await page.getByText('operator · operator').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signInAgain(page)
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  assert.ok(!stored.includes(secret) && !stored.includes(ownPassword) && !stored.includes('session='))
  assert.deepEqual(errors, [])
})

test('a wrong password shows advice, and too many show the waiting time', async () => {
  const { page, errors } = await sharePage({ theme: 'dark' })
  await page.goto(gateway.url)
  const alert = page.getByRole('alert')
  for (let tries = 0; tries < 5; tries += 1) {
    await fill(page, { Name: 'nobody', Password: `wrong ${tries}`, Code: '000000' })
    await alert.getByText('the name, the password or the code is wrong').waitFor()
    await alert.getByText('An admin can reset your password').waitFor()
    if (tries === 0) await requireAccessible(page, 'a wrong password')
  }
  await fill(page, { Name: 'nobody', Password: 'wrong', Code: '000000' })
  await alert.getByText('too many wrong passwords or codes').waitFor()
  await alert.getByText(/What to do: Wait \d+ s, then try again\./).waitFor()
  assert.deepEqual(errors, [])
})

test('an OIDC sign-in returns to the requested screen', async () => {
  provider.people.set('kim', { preferred_username: 'kim@example.com', groups: ['on-call'] })
  const { page } = await sharePage()
  await page.goto(`${gateway.url}/audit?actor=admin`)
  await page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` }).click()
  await page.locator('input[name=login]').fill('kim')
  await page.locator('input[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  // The provider asks for consent.
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('[type=submit]').click()
  await page.getByText('kim@example.com · operator').waitFor()
  assert.equal(page.url(), `${gateway.url}/audit?actor=admin`)
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
})

test('an expired session is explained, and signing in returns to the screen', async () => {
  const { page, errors } = await sharePage()
  await page.goto(gateway.url)
  await signInAgain(page)
  await openScreen(page, '/audit')
  await page.getByRole('link', { name: 'session start' }).first().click()
  await page.waitForURL(/\/audit\?action=session/)
  const { href } = new URL(page.url())
  await database.query(`update operator_sessions set used_at = now() - interval '31 minutes'`)
  await page.getByRole('button', { name: 'Verify again' }).click()
  await page.getByText('was not used for some time').waitFor()
  await requireAccessible(page, 'an ended session')
  await signInAgain(page)
  assert.equal(page.url(), href)
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()

  // The same applies if the page is opened after the session has ended.
  await page.goto('about:blank')
  await database.query(`update operator_sessions set used_at = now() - interval '31 minutes'`)
  await page.goto(href)
  await page.getByText('Your session has expired').waitFor()
  assert.deepEqual(errors, [])
})

test('an unattended page marks its requests as background', async () => {
  const { page, errors } = await openPage(await shareBrowser())
  await page.clock.install()
  await page.goto(gateway.url)
  await signInAgain(page)
  await openScreen(page, '/audit')
  await page.getByText('Intact').waitFor()
  const background = (): Promise<boolean> =>
    page
      .waitForRequest((request) => request.url().includes('/admin/v1/audit?'))
      .then(async (request) => (await request.allHeaders())['postern-background'] === '1')
  const soon = background()
  await page.clock.runFor(11_000)
  assert.equal(await soon, false)
  const later = background()
  await page.clock.runFor(70_000)
  await later
  const last = background()
  await page.clock.runFor(11_000)
  assert.equal(await last, true)
  assert.deepEqual(errors, [])
  await page.context().close()
  failed = false
})
