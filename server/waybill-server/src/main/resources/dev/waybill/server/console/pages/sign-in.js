// Name and password, for a server with users.

import { html, useState } from '../vendor/preact/standalone.module.js';
import { Failed } from '../parts.js';
import { signIn } from '../session.js';

export function SignInPage({ who, onSignedIn }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState();
  const [busy, setBusy] = useState(false);
  if (who?.authentication === 'token') {
    return html`<main class="sign-in"><h1>No sign-in</h1><p>This server knows tokens of machines only. Add people under server.users in its configuration; waybill password makes the hash.</p></main>`;
  }
  if (who?.authentication === 'proxy') {
    return html`<main class="sign-in"><h1>Not signed in</h1><p>This server takes the user's name from a proxy in front of it. Open the console through the proxy.</p></main>`;
  }
  const submit = (event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    signIn(name, password).then(onSignedIn, (error) => {
      setBusy(false);
      setPassword('');
      setFailure(error);
    });
  };
  return html`<main class="sign-in"><h1>Sign in to Waybill</h1><form onSubmit=${submit}><${Failed} failure=${failure} />
    <label class="field"><span>Name</span><input id="name" autocomplete="username" required value=${name} onInput=${(e) => setName(e.target.value)} /></label>
    <label class="field"><span>Password</span><input id="password" type="password" autocomplete="current-password" required value=${password} onInput=${(e) => setPassword(e.target.value)} /></label>
    <div class="buttons"><button type="submit" class="primary" disabled=${busy}>Sign in</button></div></form></main>`;
}
