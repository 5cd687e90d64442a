import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { phones, send } from '../../../tools/dev/examples.ts'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
} from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { openSandboxAccount, phonesRoute } from '../support/phones.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

// An idle process reads route states once per second and would prefer another route until then, so there is none.
const gateway = await openConsole({ noRoutes: true })
const sandbox = await openSandboxAccount(gateway)
let failed = true
after(async () => {
  sandbox.close()
  await gateway.close(failed)
})

const phoneRow = (page: Page, number: string) =>
  page.locator(`.phone-row[href*="${encodeURIComponent(number)}"]`)
const sms = (to: string, text: string): Promise<void> =>
  send(sandbox.target, { channel: 'sms', body: { from: '15441234', to, text } })

test('shows texts, images, cards, carousels and Kakao bubbles in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/sandbox')
  await phoneRow(page, phones.minji).click()
  const screen = page.locator('.handset-screen')
  await screen.getByText('인증번호 482913').waitFor()
  await screen.getByText('배송이 시작되었습니다').waitFor()
  await screen.getByText('42,000원').waitFor()
  await waitFor('the picture of the MMS', () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('.bubble.mms img')].some((image) => image.naturalWidth === 600)`,
    ),
  )
  await requireAccessibleInBoth(page, 'phone')
  await screen.getByRole('button', { name: '매장에 전화' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('0212345678').waitFor()
  await requireAccessibleInBoth(page, 'press')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await phoneRow(page, phones.seojun).click()
  await page.locator('.bubble.rcs .carousel > li').nth(2).getByText('케이크와 차').waitFor()
  await page.locator('.bubble.brandmessage').getByText('41,600원').waitFor()
  await page.locator('.bubble.friendtalk').getByText('10% 할인 쿠폰').waitFor()
  await requireAccessibleInBoth(page, 'carousel')
  assert.deepEqual(errors, [])
})

test('marks a fallback after the step that failed', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/sandbox')
  await phoneRow(page, phones.haneul).click()
  await page.locator('.step.rcs').getByText('RCS did not reach the phone').waitFor()
  await page.locator('.step.sms').getByText('Fallback, step 2').waitFor()
  await page.locator('.step.sms').getByText('현재 9개').waitFor()
  assert.deepEqual(errors, [])
})

test('replies by button and by field reach the account', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/sandbox')
  await phoneRow(page, phones.minji).click()
  await page.getByRole('button', { name: '좋았어요' }).click()
  await page.getByRole('button', { name: 'Send this reply' }).click()
  await page.getByRole('dialog').getByText(`account ${sandbox.clientId}`).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByLabel('Reply as the recipient').fill('언제 도착하나요?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('.bubble.own', { hasText: '언제 도착하나요?' }).waitFor()
  interface Replies {
    readonly data: { readonly reply: readonly { readonly text: string; readonly from: string }[] }
  }
  const { body } = await sandbox.client.call<Replies>('GET', '/v1/replies')
  assert.deepEqual(
    body.data.reply.map(({ from, text }) => [from, text]),
    [
      [phones.minji, '좋았어요'],
      [phones.minji, '언제 도착하나요?'],
    ],
  )
  assert.deepEqual(errors, [])
})

test('shows a new message live and lets a test wait for it', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/sandbox')
  const to = '01099990001'
  interface Inbox {
    readonly items: readonly { readonly steps: readonly { readonly text: string }[] }[]
  }
  const inbox = sandbox.readAdmin<Inbox>(`/admin/v1/sandbox/messages?to=${to}&delivered=true&wait=15`)
  await sms(to, 'Your code is 9137')
  const [message] = (await inbox).items
  assert.equal(/\d{4}/.exec(message!.steps[0]!.text)![0], '9137')
  await phoneRow(page, to).getByText('Your code is 9137').waitFor()
  assert.deepEqual(errors, [])
})

test('opens the phone with the newest message and stays with it', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  const [newest, later] = ['01099980001', '01099970001']
  await sms(newest, 'The newest message')
  await sandbox.readAdmin(`/admin/v1/sandbox/messages?to=${newest}&delivered=true&wait=15`)
  await openScreen(page, '/sandbox')
  await page.locator('.handset-screen').getByText('The newest message').waitFor()
  const current = page.locator('.phone-row[aria-current="page"]')
  assert.ok((await current.getAttribute('href'))!.includes(newest))
  await sms(later, 'A later message')
  await phoneRow(page, later).getByText('A later message').waitFor()
  assert.ok((await current.getAttribute('href'))!.includes(newest))
  await openScreen(page, '/sandbox')
  await page.locator('.handset-screen').getByText('A later message').waitFor()
  await phoneRow(page, phones.minji).click()
  await page.locator('.handset-screen').getByText('인증번호 482913').waitFor()
  await page.goBack()
  await page.locator('.handset-screen').getByText('A later message').waitFor()
  assert.deepEqual(errors, [])
})

test('changes the carrier behaviour after showing the effect', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/sandbox')
  const choose = async (behaviour: string): Promise<void> => {
    await page.getByLabel(`Behaviour of route ${phonesRoute}`).selectOption(behaviour)
    if (behaviour === 'failed') await page.getByLabel('Cause').selectOption('phone-off')
    await page.getByRole('button', { name: new RegExp(`^Apply.*route ${phonesRoute}$`) }).click()
    await page.getByRole('dialog').getByText('to all messages over this route').waitFor()
    await requireAccessible(page, behaviour)
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await choose('failed')
  await page.locator('.behaviour', { hasText: phonesRoute }).locator('.badge', { hasText: 'Fails' }).waitFor()
  const to = '01099990002'
  await waitFor(
    'a message that fails as chosen',
    async () => {
      await sms(to, 'Are you there?')
      const { items } = await sandbox.readAdmin<{ items: { steps: { cause: string | null }[] }[] }>(
        `/admin/v1/sandbox/messages?to=${to}&limit=50&wait=2`,
      )
      // Messages sent before the owner applies the change fail by their number.
      return items.some(({ steps }) => steps[0]?.cause === 'phone-off')
    },
    500,
  )
  await phoneRow(page, to).click()
  await page.getByText('SMS did not reach the phone').first().waitFor()
  await choose('by-number')
  assert.deepEqual(errors, [])
})

test('the screen fits 390 and 2560 px in Korean', async () => {
  for (const width of [390, 2560]) {
    const { page, errors } = await sharePage({ width, locale: 'ko-KR' })
    await signIn(page, gateway.url, gateway.keys.support)
    const opened: string[] = []
    const watch = (request: Request): void => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/admin/v1/sandbox/messages') opened.push(searchParams.get('to')!)
    }
    page.on('request', watch)
    await openScreen(page, '/sandbox')
    await phoneRow(page, phones.seojun).waitFor()
    await requireNoSidewaysScroll(page, `list, ${width} px`)
    if (width === 390) {
      // The list stays, and no hidden phone is read, after it was read again.
      for (let nth = 0; nth < 2; nth += 1)
        await page.waitForResponse((response) => response.url().endsWith('/admin/v1/sandbox/numbers'))
      assert.deepEqual(opened, [])
    } else await waitFor('the newest phone', () => opened.length > 0)
    page.off('request', watch)
    await phoneRow(page, phones.seojun).click()
    await page.locator('.carousel').first().waitFor()
    await requireNoSidewaysScroll(page, `phone, ${width} px`)
    await requireAccessible(page, `${width} px, Korean`)
    if (width === 390) {
      assert.equal(await page.locator('.sandbox-list').isVisible(), false)
      await page.getByRole('link', { name: '전체 휴대폰' }).click()
      await phoneRow(page, phones.seojun).waitFor()
    }
    assert.deepEqual(errors, [])
  }
})

test('names the required roles to an operator without the right', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/sandbox')
  await page.getByText('Ask for the role support').waitFor()
  await requireAccessible(page, 'viewer')
  assert.deepEqual(errors, [])
  failed = false
})
