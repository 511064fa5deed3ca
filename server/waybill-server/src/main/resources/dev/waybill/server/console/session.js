// Who is signed in, and what that person may do.

import { get, post } from './api.js';

export const session = { who: undefined };

export async function load() {
  session.who = await get('whoami');
  return session.who;
}

export async function signIn(name, password) {
  session.who = await post('login', { name, password });
}

export async function signOut() {
  await post('logout');
  session.who = { ...session.who, name: undefined, role: undefined };
}

/** Why changes are not possible, or undefined if they are. */
export function denied() {
  if (session.who?.readOnly) {
    return 'this server is read-only';
  }
  return session.who?.role === 'operator' ? undefined : 'needs the role operator';
}
