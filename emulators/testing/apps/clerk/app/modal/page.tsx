import { SignUpButton } from '@clerk/nextjs';

export default function Modal() {
  return (
    <main>
      <SignUpButton mode="modal">
        <button type="button">Open the modal</button>
      </SignUpButton>
    </main>
  );
}
