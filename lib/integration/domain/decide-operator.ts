const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a signed-in user may act as the shop's operator: named in the list, or anybody while the app runs on your own machine. */
export function decideOperator(asked: { userId: string; operatorUserIds: string; appUrl: string }): boolean {
  const named = asked.operatorUserIds.split(',').map((id) => id.trim());
  if (named.includes(asked.userId)) return true;
  const isOpen = asked.operatorUserIds.trim() === '';
  return isOpen && LOCAL_HOSTS.includes(new URL(asked.appUrl).hostname);
}
