// The way in for the hosted pages: what they show, and what their forms do.
export {
  answerChallenge,
  applyPromotionCode,
  type ChallengeView,
  type CheckoutView,
  chooseCountry,
  payCheckout,
  showChallenge,
  showCheckout,
} from './checkout/page';
export { actInPortal, type PortalPrice, type PortalView, showPortal } from './portal';
