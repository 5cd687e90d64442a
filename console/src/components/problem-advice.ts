import { defineTexts } from '../texts/texts.ts'

/** What to do next, by the code of a problem. The message is enough for a code that is not listed. */
export const problemAdvice = defineTexts(
  {
    'invalid-request': 'Correct what the message names.',
    'reason-missing': 'Give a reason.',
    'not-found': 'Search for it in the list.',
    refused: 'Do what the message says, then try again.',
    unauthenticated: 'Sign in again.',
    'wrong-sign-in':
      'Try again with the next code of your authenticator app, or a recovery code. An admin can reset your password and your second factor.',
    'first-key': 'Replace the key, and use the new one.',
    'cross-site': 'Open the console at its own address.',
    'no-role': 'Ask an admin to add you to a group with a role for this gateway, then sign in again.',
    forbidden: 'Ask an operator with the right to do this.',
    'account-blocked': 'Ask the operator of the gateway to unblock the account.',
    'second-operator-needed': 'Ask another operator to do this.',
    'already-exists': 'Choose another name.',
    repeated: 'Reload the page to see what was done.',
    stale: 'Reload the page, and decide again.',
    unavailable:
      'Try again in a few seconds; what this page shows is old until then. See the log of the gateway if it stays.',
    internal: 'See the log of the gateway, and report it as a bug.',
    unreachable: 'Check your network, and that the process of the admin API runs.',
    unreadable: 'Try again; see the log of the gateway if it stays.',
    'console-error': 'Reload the page; if it stays, report it as a bug.',
  },
  {
    'invalid-request': '메시지에 나온 항목을 고치세요.',
    'reason-missing': '사유를 입력하세요.',
    'not-found': '목록에서 찾으세요.',
    refused: '메시지의 안내를 따른 뒤 다시 시도하세요.',
    unauthenticated: '다시 로그인하세요.',
    'wrong-sign-in':
      '인증 앱의 다음 코드나 복구 코드로 다시 시도하세요. 비밀번호와 2단계 인증은 관리자가 초기화할 수 있습니다.',
    'first-key': '키를 교체한 뒤 새 키를 사용하세요.',
    'cross-site': '콘솔을 원래 주소로 여세요.',
    'no-role': '이 게이트웨이의 역할이 있는 그룹에 추가해 달라고 관리자에게 요청한 뒤 다시 로그인하세요.',
    forbidden: '권한이 있는 운영자에게 요청하세요.',
    'account-blocked': '게이트웨이 운영자에게 계정 차단 해제를 요청하세요.',
    'second-operator-needed': '다른 운영자에게 요청하세요.',
    'already-exists': '다른 이름을 선택하세요.',
    repeated: '페이지를 새로 고쳐 처리 결과를 확인하세요.',
    stale: '페이지를 새로 고친 뒤 다시 결정하세요.',
    unavailable:
      '잠시 후 다시 시도하세요. 그때까지 이 페이지의 값은 최신이 아닙니다. 계속되면 게이트웨이 로그를 확인하세요.',
    internal: '게이트웨이 로그를 확인하고 버그로 신고하세요.',
    unreachable: '네트워크와 관리 API 프로세스가 실행 중인지 확인하세요.',
    unreadable: '다시 시도하세요. 계속되면 게이트웨이 로그를 확인하세요.',
    'console-error': '페이지를 새로 고치세요. 계속되면 버그로 신고하세요.',
  },
)
