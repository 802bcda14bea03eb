// @ts-nocheck: runs in browsers, whose types this program does not have.

// Lets people see the password they type. Without scripts the button does not exist.
for (const input of document.querySelectorAll('input[type="password"]')) {
  const button = document.createElement('button');
  const { show, hide } = input.dataset;
  button.type = 'button';
  button.className = 'button';
  button.textContent = show;
  button.setAttribute('aria-controls', input.id);
  button.addEventListener('click', () => {
    const isShown = input.type === 'text';
    input.type = isShown ? 'password' : 'text';
    button.textContent = isShown ? show : hide;
  });
  // A password that is shown must not stay in the browser's history of forms.
  input.form.addEventListener('submit', () => {
    input.type = 'password';
  });
  input.after(button);
}
