import { defineTexts } from '../../texts/texts.ts'

export const signInTexts = defineTexts(
  {
    title: 'Sign in',
    hint: 'For operators and clients of this installation. Everything you change is recorded with your name.',
    ended:
      'Your session has expired, was not used for some time, or was ended elsewhere. Sign in again to continue where you were.',
    name: 'Name',
    password: 'Password',
    code: 'Code',
    codeHint: 'Code from your authenticator app, or a recovery code. Leave empty at your first sign-in.',
    enrolTitle: 'Add this secret to your authenticator app',
    enrolHint: 'Then enter the code from the app. The secret is shown only once.',
    openApp: 'Open in an app on this device',
    enrolCodeHint: 'Code that the app shows for this secret.',
    newPassword: 'New password',
    newPasswordHint:
      'An administrator set your current password. Choose a new one: at least 12 characters, without your name.',
    recoveryTitle: 'Recovery codes',
    recoveryHint:
      'Each code works once, if you do not have the app. Store them in a safe place; they are shown only once.',
    recoveryKept: 'I have stored them',
    provider: (host: string) => `Sign in with ${host}`,
    useKey: 'Use an operator key instead',
    usePassword: 'Use name and password instead',
    key: 'Operator key',
    keyHint:
      'The key stays in this tab until the tab is closed or reloaded. An admin creates keys with `postern operator key add`.',
    signIn: 'Sign in',
    signingIn: 'Signing in…',
  },
  {
    title: '로그인',
    hint: '이 시스템의 운영자와 고객용입니다. 모든 변경은 이름과 함께 기록됩니다.',
    ended:
      '세션이 만료되었거나, 한동안 사용하지 않았거나, 다른 곳에서 종료되었습니다. 다시 로그인하면 보던 화면으로 돌아갑니다.',
    name: '이름',
    password: '비밀번호',
    code: '인증 코드',
    codeHint: '인증 앱의 코드 또는 복구 코드를 입력하세요. 처음 로그인할 때는 비워 두세요.',
    enrolTitle: '인증 앱에 이 설정 키를 추가하세요',
    enrolHint: '그런 다음 앱에 표시된 코드를 입력하세요. 설정 키는 한 번만 표시됩니다.',
    openApp: '이 기기의 앱에서 열기',
    enrolCodeHint: '이 설정 키로 앱에 표시된 코드를 입력하세요.',
    newPassword: '새 비밀번호',
    newPasswordHint:
      '현재 비밀번호는 관리자가 정한 것입니다. 이름을 포함하지 않은 12자 이상의 새 비밀번호를 정하세요.',
    recoveryTitle: '복구 코드',
    recoveryHint:
      '앱이 없을 때 인증 코드 대신 한 번씩 사용할 수 있습니다. 한 번만 표시되므로 안전한 곳에 보관하세요.',
    recoveryKept: '보관했습니다',
    provider: (host) => `${host}(으)로 로그인`,
    useKey: '운영자 키로 로그인',
    usePassword: '이름과 비밀번호로 로그인',
    key: '운영자 키',
    keyHint:
      '키는 이 탭에만 있으며 탭을 닫거나 새로 고치면 사라집니다. 관리자가 `postern operator key add`로 만듭니다.',
    signIn: '로그인',
    signingIn: '로그인 중…',
  },
)
